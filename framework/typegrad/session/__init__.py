"""Running graphs: `Session`, the plans it compiles and the state it keeps."""

from typegrad.session.session import Session as Session
