
from typegrad.op import *
