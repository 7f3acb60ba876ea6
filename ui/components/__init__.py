"""Parts of pages. Text that was pasted, stored or written by a model is shown as text, never as markup."""
