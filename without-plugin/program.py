from typegrad.op import *
