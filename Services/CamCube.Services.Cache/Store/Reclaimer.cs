using CamCube.Services.Cache.Store.Internal;

namespace CamCube.Services.Cache.Store;

/// <summary>
/// Makes room: takes the least recently used items out, whatever their size, and brings together what is left of a
/// class's pages until one of them is free for any class. So memory goes where items are used, and no class keeps pages
/// only because it once had them. A few free pages are kept in reserve, and filled up a little with every change, so
/// that no single one has to empty a page. Loop only.
/// </summary>
internal sealed class Reclaimer(
    ItemStore store,
    PageMemory memory,
    Chunks chunks,
    ItemChunks items,
    ItemIndex index,
    UseOrder order
)
{
    // Pages in reserve, and steps of one change towards that: an eviction, or the move of one chunk.
    private const int Reserve = 3;
    private const int Steps = 12;

    // Evictions that may give the very class a chunk before a page of the reserve is taken.
    private const int OwnSteps = 4;

    // Of items that were used, so many stay for one that goes; then the oldest goes all the same, so that no change
    // looks at all of them.
    private const int Chances = 64;
    private int _closing = -1;
    private int _closingChunk;

    /// <summary>
    /// Makes room for an item of so many bytes. True: items may have gone, or lie elsewhere.
    /// </summary>
    public bool MakeRoom(long bytes, uint now)
    {
        int pages = items.MostPages(bytes);
        if (chunks.Available > Reserve + pages)
        {
            return false;
        }

        bool isShort = pages == 1;
        int number = isShort ? chunks.Sizes.Choose((int)bytes) : 0;
        if (isShort && chunks.HasFree(number) && chunks.Available >= Reserve)
        {
            return false;
        }

        for (int i = 0; isShort && i < OwnSteps && !chunks.HasFree(number) && MayEvict(now); i++)
        {
            EvictOne(now);
        }

        int needed = isShort && chunks.HasFree(number) ? 0 : pages;
        while (chunks.Available < needed && TryStep(now)) { }

        for (int i = 0; i < Steps && chunks.Available < Reserve + needed && TryStep(now); i++) { }

        return true;
    }

    /// <summary>Takes steps, at most so many, towards fewer pages. False: nothing may be evicted for that.</summary>
    public bool TryShrink(int pages, int steps, uint now)
    {
        for (int i = 0; i < steps && chunks.Limit > pages; i++)
        {
            if (!chunks.TryShrink() && !TryStep(now))
            {
                return false;
            }
        }

        return true;
    }

    // Where nothing is evicted, what is dead may go all the same.
    private bool MayEvict(uint now) => order.Oldest != 0 && (store.IsEvicting || store.IsDead(order.Oldest, now));

    private bool TryStep(uint now)
    {
        if (_closing >= 0 || TryClose())
        {
            MoveOne();
            return true;
        }

        if (!MayEvict(now))
        {
            return false;
        }

        EvictOne(now);
        return true;
    }

    // Without eviction only what is dead goes, and nothing needs a chance.
    private void EvictOne(uint now)
    {
        for (
            int i = 0;
            i < Chances && store.IsEvicting && !store.IsDead(order.Oldest, now) && order.TryGiveChance();
            i++
        ) { }

        store.Evict(order.Oldest, now);
    }

    // A class whose free chunks are more than a page: what is used of its emptiest page fits into the others.
    private bool TryClose()
    {
        int number = chunks.TakeSpacious();
        if (number == 0)
        {
            return false;
        }

        (_closing, _closingChunk) = (chunks.CloseOne(number), 0);
        return _closing >= 0;
    }

    private void MoveOne()
    {
        ref PageInfo page = ref chunks.InfoOf(_closing);
        if (!page.IsClosing)
        {
            // Its last chunk went by itself.
            _closing = -1;
            return;
        }

        while (_closingChunk < page.Opened)
        {
            uint chunk = chunks.ChunkOf(_closing, _closingChunk++);
            ChunkKind kind = memory.At<ChunkKind>(chunk);
            if (kind != ChunkKind.Free)
            {
                Move(chunk, kind);
                return;
            }
        }

        _closing = -1;
    }

    private void Move(uint chunk, ChunkKind kind)
    {
        // What is of an ended group must not pass by the walk that looks for it.
        uint owner = kind == ChunkKind.Piece ? memory.At<PieceHeader>(chunk).Owner : chunk;
        int number = chunks.ClassOf(chunk);
        if (store.IsEnded(owner))
        {
            store.Evict(owner, now: 0);
            return;
        }

        if (!chunks.HasFree(number))
        {
            // Its class has grown meanwhile.
            chunks.Reopen(_closing);
            _closing = -1;
            return;
        }

        uint to = chunks.Allocate(number);
        if (kind == ChunkKind.Piece)
        {
            items.MovePiece(chunk, to);
        }
        else
        {
            items.MoveItem(chunk, to);
            index.Move(chunk, to);
            order.Move(to);
        }

        chunks.Free(chunk);
    }
}
