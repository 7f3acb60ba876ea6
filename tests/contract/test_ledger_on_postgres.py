"""A ledger in Postgres keeps every promise of one in a file: the same tests, on a real server."""

from __future__ import annotations

from tests.memory.test_ledger import (  # noqa: F401
    test_a_record_comes_back_as_it_went_in,
    test_a_revision_cannot_turn_a_note_into_a_fact,
    test_a_revision_keeps_what_was_said_before_with_author_time_and_reason,
    test_a_transaction_that_fails_keeps_nothing,
    test_a_word_finds_the_same_whether_its_record_is_active_or_archived,
    test_a_workspace_never_gives_another_ones_records,
    test_an_id_that_is_taken_is_refused_and_nothing_of_the_batch_is_kept,
    test_an_unknown_source_is_refused,
    test_changes_come_in_order_and_say_what_left,
    test_find_filters_sorts_and_pages,
    test_keywords_weigh_rare_terms_more_and_say_which_matched,
    test_only_active_records_are_counted_and_found_by_keyword,
    test_protection_is_kept,
    test_records_are_there_when_the_ledger_is_opened_again,
    test_the_embedder_is_remembered,
    test_threads_that_write_at_once_lose_nothing,
    test_use_is_counted_and_is_no_change,
)
from tests.memory.test_saved_views import (  # noqa: F401
    test_a_name_that_is_empty_too_long_or_taken_is_refused,
    test_a_view_is_kept_by_name_chosen_changed_renamed_and_deleted,
)
