using CamCube.Services.KeyValue.Log;

namespace CamCube.Services.KeyValue.Tests.Log;

/// <summary>Files in memory: blocks that are used again show nothing of what was in them, and overwriting takes no new
/// ones.</summary>
public sealed class MemoryDiskTests
{
    private const int Block = MemoryDisk.BlockBytes;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task Files_hold_what_was_written_and_zeros_between(int seed)
    {
        using var stage = new LogStage(new LogOptions());
        MemoryDisk disk = Begin(stage, 4 * Block);
        Random random = new(seed);
        Dictionary<string, byte[]> model = [];
        for (int step = 0; step < 2_000; step++)
        {
            string name = $"file {random.Next(4)}";
            IDiskFile file = (await disk.OpenAsync(name, create: true)).Value!;
            byte[] before = model.GetValueOrDefault(name, []);
            switch (random.Next(4))
            {
                case 0:
                    byte[] bytes = new byte[random.Next(0, 2 * Block)];
                    random.NextBytes(bytes);
                    int offset = random.Next(0, before.Length + (Block * random.Next(2)) + 1);
                    Assert.Equal(DiskStatus.Done, await file.WriteAsync(offset, bytes));
                    byte[] after = bytes.Length == 0 && offset > before.Length ? new byte[offset] : before;
                    Array.Resize(ref after, Math.Max(before.Length, offset + bytes.Length));
                    bytes.CopyTo(after, offset);
                    model[name] = after;
                    break;
                case 1:
                    int length = random.Next(0, before.Length + Block);
                    Assert.Equal(DiskStatus.Done, await file.SetLengthAsync(length));
                    Array.Resize(ref before, length);
                    model[name] = before;
                    break;
                case 2 when random.Next(4) == 0:
                    Assert.Equal(DiskStatus.Done, await disk.DeleteAsync(name));
                    model.Remove(name);
                    break;
                default:
                    model[name] = before;
                    byte[] read = new byte[before.Length + 1];
                    Assert.Equal(before.Length, (await file.ReadAsync(0, read)).Value);
                    Assert.True(read.AsSpan(0, before.Length).SequenceEqual(before), $"step {step}");
                    break;
            }

            file.Close();
        }
    }

    [Fact]
    public async Task What_is_overwritten_again_and_again_takes_no_new_memory()
    {
        using var stage = new LogStage(new LogOptions());
        IServerMemory memory = stage.Cube.ServerOf<LogModel>(0).Memory;
        long others = memory.Claimed;
        MemoryDisk disk = Begin(stage, 4 * Block);
        byte[] bytes = new byte[3 * Block];
        async Task Once(int number)
        {
            IDiskFile file = (await disk.OpenAsync($"{number % 2}", create: true)).Value!;
            await file.WriteAsync(0, bytes);
            file.Close();
            await disk.DeleteAsync($"{(number + 1) % 2}");
        }

        for (int i = 0; i < 4; i++)
        {
            await Once(i);
        }

        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 50; i++)
        {
            await Once(i);
        }

        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, Block);
        Assert.Equal((3L * Block, 7L * Block), (disk.Used, memory.Claimed - others));
    }

    [Fact]
    public async Task Blocks_that_will_be_needed_are_made_ready_before()
    {
        using var stage = new LogStage(new LogOptions());
        IServerMemory memory = stage.Cube.ServerOf<LogModel>(0).Memory;
        long others = memory.Claimed;
        MemoryDisk disk = Begin(stage, 16 * Block);
        IDiskFile file = (await disk.OpenAsync("file", create: true)).Value!;
        byte[] bytes = new byte[64 * Block];
        await file.WriteAsync(0, bytes);
        stage.Cube.Advance(TimeSpan.FromMilliseconds(10));
        long before = GC.GetAllocatedBytesForCurrentThread();
        await file.WriteAsync(bytes.Length, bytes.AsMemory(0, 8 * Block));

        // Sixteen are ready, and as long as half of them are, no more are made.
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, Block);
        Assert.Equal((72L * Block, 88L * Block), (disk.Used, memory.Claimed - others));
    }

    [Fact]
    public async Task Of_a_table_without_values_no_block_is_made_ready()
    {
        using var stage = new LogStage(new LogOptions());
        MemoryDisk disk = Begin(stage, 16 * Block);
        long before = GC.GetAllocatedBytesForCurrentThread();
        IDiskFile file = (await disk.OpenAsync("file", create: true)).Value!;
        await file.WriteAsync(0, new byte[16]);
        stage.Cube.Advance(TimeSpan.FromMilliseconds(10));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, Block, 2 * Block);
    }

    private static MemoryDisk Begin(LogStage stage, long reserve) =>
        MemoryDisk.Begin(stage.Cube.ServerOf<LogModel>(0), reserve)!;
}
