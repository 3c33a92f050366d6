"""Pools of threads and asynchronous functions are followed: their errors are for who asks for a result."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

HEADER: Final = """
import asyncio
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
y = x * 2.0
session = tg.Session(scope.graph)
bad = np.zeros((2, 3), np.float32)
good = np.zeros((2, 8), np.float32)
"""

WRONG: Final = {
    "a run in a pool": """
with ThreadPoolExecutor(2) as pool:
    future = pool.submit(session.run, y, {x: bad})  # E: does not fit
    future.result()
""",
    "runs in a pool, for each batch": """
def predict(rows):
    return session.run(y, {x: rows})  # E: does not fit
with ThreadPoolExecutor() as pool:
    print([len(each) for each in pool.map(predict, [good, bad])])
""",
    "the futures that are done first": """
with ThreadPoolExecutor() as pool:
    futures = {pool.submit(session.run, y, {x: good}): name for name in ("a", "b")}
    for future in as_completed(futures):
        future.result() @ np.ones((7, 1))  # E: matmul: shapes [2, 8] and [7, 1] do not fit
""",
    "a run in a thread": """
async def main():
    return await asyncio.to_thread(session.run, y, {x: bad})  # E: does not fit
asyncio.run(main())
""",
    "several runs at once": """
async def predict(rows):
    await asyncio.sleep(0.1)
    return session.run(y, {x: rows})  # E: does not fit
async def main():
    first = await asyncio.wait_for(predict(good), timeout=1.0)
    tasks = [asyncio.create_task(predict(rows)) for rows in (first, bad)]
    for result in await asyncio.gather(*tasks):
        print(result)
if __name__ == "__main__":
    asyncio.run(main())
""",
    "what an asynchronous generator yields": """
async def chunks(count):
    for k in range(count):
        await asyncio.sleep(0)
        yield good if k < 2 else bad
async def twice(source):
    async for each in source:
        yield each
        yield each
async def main():
    async for rows in twice(chunks(3)):
        session.run(y, {x: rows})  # E: does not fit
asyncio.run(main())
""",
    "comprehensions of what an asynchronous generator yields": """
async def chunks():
    yield good
    yield good
async def main():
    both = np.concatenate([each[:, :7] async for each in chunks() if len(each)])
    session.run(y, {x: both})  # E: has shape [4, 7], which does not fit
asyncio.run(main())
""",
    "what an asynchronous function returns": """
class Model:
    def __init__(self, units):
        self.w = tg.Variable.create(scope, np.zeros((8, units), np.float32))
    async def logits(self, rows):
        if rows is None:
            return None
        return rows @ self.w
async def main():
    h = await Model(4).logits(x)
    h @ np.zeros((5, 1), np.float32)  # E: inner dimensions differ
asyncio.run(main())
""",
}

RIGHT: Final = {
    "an error that is awaited and caught": """
with ThreadPoolExecutor() as pool:
    future = pool.submit(session.run, y, {x: bad})
    try:
        future.result()
    except tg.FeedError as error:
        print(error)
async def main():
    task = asyncio.create_task(asyncio.to_thread(session.run, y, {x: bad}))
    try:
        await task
    except tg.FeedError as error:
        print(error)
    results = await asyncio.gather(asyncio.to_thread(session.run, y, {x: bad}), return_exceptions=True)
    print(results[0].args, results[0] @ np.ones(3))
asyncio.run(main())
""",
    "what nobody waits for": """
async def main():
    asyncio.to_thread(session.run, y, {x: bad})
    session.run(y, {x: bad})
ThreadPoolExecutor().submit(session.run, y, {x: bad})
main()
""",
    "what is not known": """
with ThreadPoolExecutor() as pool:
    future = pool.submit(len, good)
    future.add_done_callback(print)
    for rows in pool.map(list, unknown.batches):
        session.run(y, {x: rows})
""",
    "what is not followed": """
async def rows():
    yield bad
async def producer(queue):
    await queue.put(bad)
async def consumer(queue):
    rows = await queue.get()
    return session.run(y, {x: rows})
async def reader():
    async for each in rows():
        session.run(y, {x: each})
    async with asyncio.timeout(1):
        session.run(y, {x: bad})
    return [each async for each in rows()]
async def main():
    queue = asyncio.Queue()
    print(await asyncio.gather(producer(queue), consumer(queue)))
    await asyncio.to_thread(time.sleep, 1)
    for each in await reader():
        session.run(y, {x: each})
    loop = asyncio.get_running_loop()
    await loop.run_in_executor(None, session.run, y, {x: bad})
asyncio.run(main())
""",
    "what runs at the same time": """
width = 7
async def change():
    global width
    await asyncio.sleep(0)
    width = 8
async def use():
    await asyncio.sleep(1)
    session.run(y, {x: np.zeros((2, width), np.float32)})
async def main():
    await asyncio.gather(use(), change())
asyncio.run(main())
""",
    "what has begun": """
async def change(sizes):
    await asyncio.sleep(0)
    sizes.append(8)
async def main():
    sizes = []
    task = asyncio.create_task(change(sizes))
    await asyncio.sleep(1)
    session.run(y, {x: np.zeros((2, sizes[-1] if sizes else 7), np.float32)})
    await task
asyncio.run(main())
""",
    "what functions in threads change": """
sizes, width = [8], 8
def grow():
    global width
    sizes.append(4)
    width = 4
with ThreadPoolExecutor() as pool:
    pool.submit(grow)
x[:, :4] @ np.zeros((sizes[-1], 1), np.float32)
x[:, :4] @ np.zeros((width, 1), np.float32)
""",
    "a function that may have returned": """
async def width(text):
    if text.isdigit():
        return 3
    return 8
async def main():
    x @ np.zeros((await width(input()), 2), np.float32)
asyncio.run(main())
""",
    "asynchronous generators and iterators": """
class Rows:
    def __init__(self, count):
        self.left, self.width = count, 8
    def __aiter__(self):
        return self
    async def __anext__(self):
        if not self.left:
            raise StopAsyncIteration
        self.left -= 1
        return good
async def chunks(count, rows=None):
    for _ in range(count):
        if rows is not None:
            rows.width = 8
        yield good
    return
async def first(source):
    async for each in source:
        return each
async def main():
    rows = Rows(2)
    rows.width = 3
    async for each in rows:
        session.run(y, {x: each})
    async for each in Rows(1):
        print([each.shape async for each in Rows(2)])
    stream = chunks(2)
    print((await anext(stream)).shape, (await stream.__anext__()).shape)
    await stream.aclose()
    print((await chunks(2).asend(None)).shape)
    many = (each async for each in chunks(2))
    async for each in many:
        session.run(y, {x: each})
    async for each in chunks(1, rows):
        session.run(y, {x: np.ones((2, rows.width), np.float32)})
    else:
        session.run(y, {x: await first(chunks(2))})
    print(await asyncio.gather(first(chunks(1)), first(chunks(2))))
asyncio.run(main())
""",
    "a queue that an asynchronous generator empties": """
async def consumed(queue):
    while not queue.empty():
        yield await queue.get()
async def main():
    queue = asyncio.Queue()
    for width in (8, 8):
        queue.put_nowait(width)
    seen = {width: np.ones((width, 2), np.float32) async for width in consumed(queue)}
    for each in seen.values():
        x @ each
asyncio.run(main())
""",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_is_found(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, HEADER + WRONG[name])


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_is_found_in_a_right_program(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, HEADER + RIGHT[name])
