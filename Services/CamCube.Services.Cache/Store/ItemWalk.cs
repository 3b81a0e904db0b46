using CamCube.Services.Cache.Store.Internal;

namespace CamCube.Services.Cache.Store;

/// <summary>
/// Goes through all chunks in the order of memory, round and round. An item that is moved meanwhile may be passed by;
/// who moves one looks at it. Loop only.
/// </summary>
internal sealed class ItemWalk(PageMemory memory, Chunks chunks)
{
    private int _page;
    private int _chunk;

    /// <summary>The next chunk's item; 0: there is none, or a whole page has none.</summary>
    /// <param name="endsRound">Whether it was the last.</param>
    public uint Next(out bool endsRound)
    {
        endsRound = false;
        if (_page >= chunks.OpenedPages)
        {
            (_page, _chunk, endsRound) = (0, 0, true);
            return 0;
        }

        ref PageInfo page = ref chunks.InfoOf(_page);
        if (page.Class == 0 || _chunk >= page.Opened)
        {
            (_page, _chunk) = (_page + 1, 0);
            return 0;
        }

        uint chunk = chunks.ChunkOf(_page, _chunk++);
        return memory.At<ChunkKind>(chunk) is ChunkKind.Item or ChunkKind.LongItem ? chunk : 0;
    }
}
