"""Everything Streamlit: the shell every page opens with, cached services, background jobs, components and views."""
