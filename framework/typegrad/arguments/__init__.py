"""What users pass: checked where a call comes in, and what to write instead of what does not fit."""
