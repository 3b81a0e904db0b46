using CamCube.Services.Cache.Store.Internal;

namespace CamCube.Services.Cache.Tests.Store;

/// <summary>Pages that go back to the system.</summary>
public sealed class PageMemoryTests
{
    // Pages of 8 KiB.
    private const long Limit = 8 << 20;

    [Theory]
    [InlineData(16 << 10)]
    [InlineData(64 << 10)]
    public void A_page_that_is_smaller_than_the_systems_stays(int systemPageBytes)
    {
        using PageMemory memory = Filled(systemPageBytes);
        for (int page = 0; page < 16; page++)
        {
            // The system would round its length up, and take the pages behind it.
            Assert.False(memory.GiveBack(page));
            Assert.Equal(-1, BytesOf(memory, page).IndexOfAnyExcept((byte)7));
        }
    }

    [Fact]
    public void A_page_of_whole_pages_of_the_system_goes_and_its_neighbours_stay()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "only Linux is told");
        using PageMemory memory = Filled(systemPageBytes: null);
        Assert.SkipUnless(Environment.SystemPageSize <= memory.PageBytes, "the system's pages are larger than ours");
        Assert.True(memory.GiveBack(2));
        Assert.Equal(-1, BytesOf(memory, 2).IndexOfAnyExcept((byte)0));
        Assert.Equal(-1, BytesOf(memory, 1).IndexOfAnyExcept((byte)7));
        Assert.Equal(-1, BytesOf(memory, 3).IndexOfAnyExcept((byte)7));
    }

    private static PageMemory Filled(int? systemPageBytes)
    {
        var memory = new PageMemory(Limit, systemPageBytes);
        for (int page = 0; page < 16; page++)
        {
            Assert.True(memory.TryOpen(page));
            BytesOf(memory, page).Fill(7);
        }

        return memory;
    }

    private static Span<byte> BytesOf(PageMemory memory, int page) =>
        memory.Bytes(memory.ReferenceOf(page, 0), 0, memory.PageBytes);
}
