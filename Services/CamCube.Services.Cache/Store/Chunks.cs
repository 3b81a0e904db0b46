using System.Numerics;
using CamCube.Services.Cache.Store.Internal;

namespace CamCube.Services.Cache.Store;

/// <summary>
/// Gives out chunks of the size classes, and takes them back: constant work each. A page without a used chunk is free
/// for every class. Loop only.
/// </summary>
internal sealed class Chunks
{
    private readonly PageMemory _memory;
    private PageInfo[] _pages;
    private readonly ClassPages[] _classes;
    private int _opened;
    private int _withdrawn;
    private int _lastWithdrawn = -1;
    private readonly ulong[] _spacious = new ulong[SizeClasses.Most / 64];
    private int _free = -1;

    public Chunks(PageMemory memory, SizeClasses sizes)
    {
        (_memory, Sizes, Limit) = (memory, sizes, memory.PageCount);
        _pages = new PageInfo[memory.PageCount];
        _classes = new ClassPages[sizes.Count];
        for (int number = 1; number < sizes.Count; number++)
        {
            _classes[number] = new ClassPages
            {
                PerPage = sizes.PerPage(number),
                Bytes = sizes.BytesOf(number),
                Partial = -1,
            };
        }
    }

    public SizeClasses Sizes { get; }

    /// <summary>Pages that no class has.</summary>
    public int FreePages { get; private set; }

    /// <summary>Pages that were ever in use.</summary>
    public int OpenedPages => _opened;

    /// <summary>Pages that have memory: those in use, and free ones.</summary>
    public int HeldPages => _opened - _withdrawn;

    /// <summary>Most pages that have memory.</summary>
    public int Limit { get; private set; }

    /// <summary>Pages that may still be had.</summary>
    public int Available => FreePages + Limit - HeldPages;

    /// <summary>What is known of a page.</summary>
    public ref PageInfo InfoOf(int page) => ref _pages[page];

    /// <summary>The pages of a class.</summary>
    public ref readonly ClassPages PagesOf(int number) => ref _classes[number];

    /// <summary>The class of a chunk.</summary>
    public int ClassOf(uint chunk) => _pages[_memory.PageOf(chunk)].Class;

    /// <summary>Whether a class has a free chunk without another page.</summary>
    public bool HasFree(int number) => _classes[number].Partial >= 0;

    /// <summary>Free chunks of a class.</summary>
    public int FreeOf(int number) => (_classes[number].Pages * _classes[number].PerPage) - _classes[number].Used;

    /// <summary>The chunk of a page by its number.</summary>
    public uint ChunkOf(int page, int number) => _memory.ReferenceOf(page, number * _classes[_pages[page].Class].Bytes);

    /// <summary>A page for the index; −1: there is none.</summary>
    public int TakePage()
    {
        int page = _free;
        if (page >= 0)
        {
            _free = _pages[page].Next;
            FreePages--;
        }
        else if (HeldPages < Limit && _lastWithdrawn >= 0)
        {
            page = _lastWithdrawn;
            _lastWithdrawn = _pages[page].Next;
            _withdrawn--;
        }
        else if (HeldPages < Limit && _memory.TryOpen(_opened))
        {
            page = _opened++;
        }

        return page;
    }

    /// <summary>Allows so many pages, if that is more than before.</summary>
    public void Grow(int limit)
    {
        Limit = Math.Max(Limit, limit);
        _memory.Grow(Limit);
        Array.Resize(ref _pages, Math.Max(_pages.Length, Limit));
    }

    /// <summary>Allows a page less, and gives its memory back. False: all pages are in use.</summary>
    public bool TryShrink()
    {
        if (HeldPages == Limit)
        {
            if (FreePages == 0)
            {
                return false;
            }

            int page = TakePage();
            _memory.GiveBack(page);
            _pages[page] = new PageInfo { Next = _lastWithdrawn };
            _lastWithdrawn = page;
            _withdrawn++;
        }

        Limit--;
        return true;
    }

    /// <summary>A chunk; 0: there is no page for it.</summary>
    public uint Allocate(int number)
    {
        ref ClassPages pages = ref _classes[number];
        if (pages.Partial < 0)
        {
            int taken = TakePage();
            if (taken < 0)
            {
                return 0;
            }

            _pages[taken] = new PageInfo { Class = (byte)number };
            pages.Pages++;
            Link(ref pages, taken);
        }

        int page = pages.Partial;
        ref PageInfo info = ref _pages[page];
        uint chunk = info.Free;
        if (chunk != 0)
        {
            info.Free = _memory.At<uint>(chunk, sizeof(uint));
        }
        else
        {
            chunk = _memory.ReferenceOf(page, info.Opened++ * pages.Bytes);
        }

        pages.Used++;
        if (++info.Used == pages.PerPage)
        {
            Unlink(ref pages, page);
        }

        return chunk;
    }

    /// <summary>Takes a chunk back.</summary>
    public void Free(uint chunk)
    {
        int page = _memory.PageOf(chunk);
        ref PageInfo info = ref _pages[page];
        ref ClassPages pages = ref _classes[info.Class];
        _memory.At<ChunkKind>(chunk) = ChunkKind.Free;
        _memory.At<uint>(chunk, sizeof(uint)) = info.Free;
        info.Free = chunk;
        pages.Used--;
        if (IsSpacious(pages))
        {
            _spacious[info.Class >> 6] |= 1UL << (info.Class & 63);
        }

        bool wasFull = info.Used-- == pages.PerPage;
        if (info.Used == 0)
        {
            if (!wasFull && !info.IsClosing)
            {
                Unlink(ref pages, page);
            }

            pages.Pages--;
            info = new PageInfo { Next = _free };
            _free = page;
            FreePages++;
        }
        else if (wasFull && !info.IsClosing)
        {
            Link(ref pages, page);
        }
    }

    /// <summary>A class of which more chunks are free than a page has; 0: there is none.</summary>
    public int TakeSpacious()
    {
        for (int i = 0; i < _spacious.Length; i++)
        {
            while (_spacious[i] != 0)
            {
                int bit = BitOperations.TrailingZeroCount(_spacious[i]);
                int number = (i * 64) + bit;
                if (IsSpacious(_classes[number]))
                {
                    return number;
                }

                _spacious[i] &= ~(1UL << bit);
            }
        }

        return 0;
    }

    /// <summary>Chooses the page of a class with the fewest used chunks, and gives out no more of it.</summary>
    public int CloseOne(int number)
    {
        ref ClassPages pages = ref _classes[number];
        int best = pages.Partial;
        for (int page = best; page >= 0; page = _pages[page].Next)
        {
            best = _pages[page].Used < _pages[best].Used ? page : best;
        }

        if (best >= 0)
        {
            Unlink(ref pages, best);
            _pages[best].IsClosing = true;
        }

        return best;
    }

    /// <summary>Gives chunks of a page out again.</summary>
    public void Reopen(int page)
    {
        _pages[page].IsClosing = false;
        Link(ref _classes[_pages[page].Class], page);
    }

    private static bool IsSpacious(in ClassPages pages) => (long)(pages.Pages - 1) * pages.PerPage >= pages.Used;

    private void Link(ref ClassPages pages, int page)
    {
        (_pages[page].Next, _pages[page].Previous) = (pages.Partial, -1);
        if (pages.Partial >= 0)
        {
            _pages[pages.Partial].Previous = page;
        }

        pages.Partial = page;
    }

    private void Unlink(ref ClassPages pages, int page)
    {
        (int next, int previous) = (_pages[page].Next, _pages[page].Previous);
        if (previous >= 0)
        {
            _pages[previous].Next = next;
        }
        else
        {
            pages.Partial = next;
        }

        if (next >= 0)
        {
            _pages[next].Previous = previous;
        }
    }

    /// <summary>The pages of one class.</summary>
    public struct ClassPages
    {
        /// <summary>Bytes of a chunk.</summary>
        public int Bytes;

        /// <summary>Chunks of a page.</summary>
        public int PerPage;

        /// <summary>Pages.</summary>
        public int Pages;

        /// <summary>Chunks in use.</summary>
        public int Used;

        /// <summary>First page with a free chunk; −1: none.</summary>
        public int Partial;
    }
}
