namespace CamCube.Services.Cache.Memcached.Tests;

public sealed class LargeValueTests
{
    private static readonly string Largest = new('x', 1 << 20);

    private readonly FakeCache _cache = new();
    private readonly FakeGate _gate;

    public LargeValueTests() => _gate = new FakeGate(_cache);

    [Theory]
    [InlineData(4096)]
    [InlineData(16 << 10)]
    [InlineData((32 << 10) + 1)]
    [InlineData(100_001)]
    [InlineData(1 << 20)]
    public async Task Values_of_any_length_come_back(int length)
    {
        string value = Largest[..length];
        var client = new MemoryClient(_gate);
        await client.SendAsync($"set a 5 0 {length}\r\n{value}\r\nget a a\r\nversion\r\n");
        Assert.Equal(
            $"STORED\r\nVALUE a 5 {length}\r\n{value}\r\nVALUE a 5 {length}\r\n{value}\r\nEND\r\n"
                + "VERSION 1.6.18-camcube-0.1.0\r\n",
            await client.FinishAsync()
        );
    }

    [Fact]
    public async Task A_set_that_is_too_large_is_swallowed_and_removes_the_old_item()
    {
        var client = new MemoryClient(_gate);
        await client.SendAsync($"set a 0 0 1\r\ny\r\nset a 0 0 1048577\r\n{Largest}x\r\nget a\r\n");
        Assert.Equal("STORED\r\nSERVER_ERROR object too large for cache\r\nEND\r\n", await client.FinishAsync());
    }

    [Theory]
    [InlineData("add")]
    [InlineData("append")]
    [InlineData("prepend")]
    [InlineData("replace")]
    public async Task Others_that_are_too_large_are_swallowed_and_keep_the_old_item(string command)
    {
        var client = new MemoryClient(_gate);
        await client.SendAsync($"set a 0 0 1\r\ny\r\n{command} a 0 0 1048577\r\n{Largest}x\r\nget a\r\n");
        Assert.Equal(
            "STORED\r\nSERVER_ERROR object too large for cache\r\nVALUE a 0 1\r\ny\r\nEND\r\n",
            await client.FinishAsync()
        );
    }

    [Fact]
    public async Task Noreply_holds_for_what_is_too_large()
    {
        var client = new MemoryClient(_gate);
        await client.SendAsync($"set a 0 0 1048577 noreply\r\n{Largest}x\r\nversion\r\n");
        Assert.Equal("VERSION 1.6.18-camcube-0.1.0\r\n", await client.FinishAsync());
    }

    [Theory]
    [InlineData(2147483645L)]
    [InlineData(1048576L)]
    public async Task An_announced_length_takes_no_memory(long length)
    {
        var client = new MemoryClient(_gate);
        long before = GC.GetAllocatedBytesForCurrentThread();
        await client.SendAsync($"set a 0 0 {length}\r\nonly this");
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 64 << 10);
        string reply = length > 1 << 20 ? "SERVER_ERROR object too large for cache\r\n" : "";
        Assert.Equal(reply, await client.FinishAsync());
    }

    [Fact]
    public async Task An_append_past_the_largest_value_is_not_stored()
    {
        var client = new MemoryClient(_gate);
        await client.SendAsync($"set h 0 0 1048576\r\n{Largest}\r\nappend h 0 0 1\r\ny\r\n");
        Assert.Equal("STORED\r\nNOT_STORED\r\n", await client.FinishAsync());
    }

    [Fact]
    public async Task A_client_that_does_not_read_stops_its_own_commands()
    {
        // 9,300 gets of 1 MiB in 64 KiB: 9 GiB of answers, if nothing held them back.
        const int Pause = 64 << 10;
        var client = new MemoryClient(_gate, pauseAt: Pause);
        await client.SendAsync($"set a 0 0 1048576\r\n{Largest}\r\n");
        await client.ExpectAsync("STORED\r\n");
        int reads = 0;
        _cache.Fault = request =>
        {
            reads++;
            return null;
        };
        int before = reads;
        _ = client.SendAsync(string.Concat(Enumerable.Repeat("get a\r\n", 9_300)));
        int atFirst = reads - before;
        Assert.InRange(atFirst, 1, 4);
        client.Connection.Abort();
        await client.ReceiveToEndAsync();
        Assert.InRange(reads - before, 1, 8);
    }
}
