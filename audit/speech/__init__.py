"""What is said to a person, in their language: by pages, reports and the command line. No session is known here."""
