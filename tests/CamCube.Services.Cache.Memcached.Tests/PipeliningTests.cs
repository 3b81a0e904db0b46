using System.Globalization;
using System.Text;
using CamCube.Services.Cache.Memcached.Settings;

namespace CamCube.Services.Cache.Memcached.Tests;

public sealed class PipeliningTests
{
    private readonly FakeCache _cache = new();
    private readonly FakeGate _gate;

    public PipeliningTests() => _gate = new FakeGate(_cache);

    [Fact]
    public async Task Answers_come_in_the_order_of_the_commands()
    {
        var client = new MemoryClient(_gate);
        await client.SendAsync("set a 1 0 1\r\nA\r\nset b 2 0 1\r\nB\r\nset c 3 0 1\r\nC\r\n");
        await client.ExpectAsync("STORED\r\nSTORED\r\nSTORED\r\n");

        _gate.Mode = GateMode.Held;
        await client.SendAsync("get a\r\nget b\r\nversion\r\nget c\r\n");
        await _gate.WaitForHeldAsync(3);
        _gate.Release(2);
        _gate.Release(1);
        _gate.Release(0);
        await client.ExpectAsync(
            "VALUE a 1 1\r\nA\r\nEND\r\nVALUE b 2 1\r\nB\r\nEND\r\nVERSION 1.6.18-camcube-0.1.0\r\n"
                + "VALUE c 3 1\r\nC\r\nEND\r\n"
        );
        Assert.Equal("", await client.FinishAsync());
    }

    [Fact]
    public async Task Keys_of_one_get_are_read_at_the_same_time()
    {
        var client = new MemoryClient(_gate);
        await client.SendAsync("set a 1 0 1\r\nA\r\nset c 3 0 1\r\nC\r\n");
        _gate.Mode = GateMode.Held;
        await client.SendAsync("get a b c d\r\n");
        await _gate.WaitForHeldAsync(4);
        for (int i = 3; i >= 0; i--)
        {
            _gate.Release(i);
        }

        Assert.Equal("STORED\r\nSTORED\r\nVALUE a 1 1\r\nA\r\nVALUE c 3 1\r\nC\r\nEND\r\n", await client.FinishAsync());
    }

    [Fact]
    public async Task No_more_commands_are_in_work_than_allowed_and_all_are_answered()
    {
        _gate.Mode = GateMode.Held;
        var client = new MemoryClient(_gate, new MemcachedFrontEndOptions { MaxPipelined = 3 });
        var request = new StringBuilder("get");
        var reply = new StringBuilder();
        for (int i = 0; i < 100; i++)
        {
            await client.SendAsync(string.Create(CultureInfo.InvariantCulture, $"delete k{i}\r\n"));
            reply.Append("NOT_FOUND\r\n");
            request.Append(CultureInfo.InvariantCulture, $" k{i}");
        }

        await client.SendAsync(request.Append("\r\n").ToString());
        reply.Append("END\r\n");
        Task<string> finish = client.FinishAsync();
        for (int i = 0; i < 200; i++)
        {
            await _gate.WaitForHeldAsync(1);
            _gate.Release(_gate.HeldCount - 1);
        }

        Assert.Equal(reply.ToString(), await finish);
        Assert.Equal(3, _gate.MostOpen);
    }

    [Fact]
    public async Task A_client_sees_its_own_changes()
    {
        _gate.Mode = GateMode.Held;
        var client = new MemoryClient(_gate);
        await client.SendAsync("set a 0 0 1\r\n1\r\nget a\r\nincr a 1\r\nget a b\r\nget b\r\n");
        Task<string> finish = client.FinishAsync();
        await _gate.WaitForHeldAsync(1);
        for (int i = 0; i < 6; i++)
        {
            await _gate.WaitForHeldAsync(1);
            _gate.Release(_gate.HeldCount - 1);
        }

        Assert.Equal("STORED\r\nVALUE a 0 1\r\n1\r\nEND\r\n2\r\nVALUE a 0 1\r\n2\r\nEND\r\nEND\r\n", await finish);
    }

    [Fact]
    public async Task Changes_of_different_keys_are_in_work_at_the_same_time()
    {
        _gate.Mode = GateMode.Held;
        var client = new MemoryClient(_gate);
        await client.SendAsync(
            "set a 0 0 1\r\n1\r\nset b 0 0 1 noreply\r\n1\r\nincr c 1\r\ntouch d 0\r\nset a 0 0 1\r\n2\r\n"
        );
        await _gate.WaitForHeldAsync(4);
        Assert.Equal(4, _gate.HeldCount);
        _gate.ReleaseAll();
        await _gate.WaitForHeldAsync(1);
        _gate.ReleaseAll();
        Assert.Equal("STORED\r\nNOT_FOUND\r\nNOT_FOUND\r\nSTORED\r\n", await client.FinishAsync());
    }

    [Theory]
    [InlineData("flush_all\r\n", 1, "OK\r\n")]
    [InlineData("stats server\r\n", 2, null)]
    public async Task A_command_on_all_items_waits_and_is_waited_for(string command, int calls, string? reply)
    {
        _gate.Mode = GateMode.Held;
        var client = new MemoryClient(_gate);
        await client.SendAsync("set a 0 0 1\r\n1\r\nset b 0 0 1\r\n1\r\n" + command + "get a\r\n");
        await _gate.WaitForHeldAsync(2);
        Assert.Equal(2, _gate.HeldCount);
        for (int i = 0; i < calls; i++)
        {
            _gate.ReleaseAll();
            await _gate.WaitForHeldAsync(1);
            Assert.Equal(1, _gate.HeldCount);
        }

        _gate.ReleaseAll();
        await _gate.WaitForHeldAsync(1);
        _gate.ReleaseAll();
        string received = await client.FinishAsync();
        if (reply is not null)
        {
            Assert.Equal($"STORED\r\nSTORED\r\n{reply}END\r\n", received);
        }
        else
        {
            Assert.EndsWith("END\r\nVALUE a 0 1\r\n1\r\nEND\r\n", received, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_get_of_very_many_keys_is_answered()
    {
        _gate.Mode = GateMode.Pool;
        var client = new MemoryClient(_gate);
        await client.SendAsync("set k77 0 0 2\r\nhi\r\n");
        var keys = new StringBuilder("get");
        for (int i = 0; i < 20_000; i++)
        {
            keys.Append(CultureInfo.InvariantCulture, $" k{i}");
        }

        await client.SendAsync(keys.ToString());
        await client.SendAsync("\r\nversion\r\n");
        Assert.Equal(
            "STORED\r\nVALUE k77 0 2\r\nhi\r\nEND\r\nVERSION 1.6.18-camcube-0.1.0\r\n",
            await client.FinishAsync()
        );
    }

    [Fact]
    public async Task Large_reads_are_limited_by_their_bytes()
    {
        // A new client is taken for one of large values: 4 of 1 MiB are within 4 MiB.
        _gate.Mode = GateMode.Held;
        var client = new MemoryClient(_gate);
        await client.SendAsync("get a b c d e f g h\r\n");
        await _gate.WaitForHeldAsync(4);
        Assert.Equal(4, _gate.HeldCount);
        Task<string> finish = client.FinishAsync();
        for (int i = 0; i < 8; i++)
        {
            await _gate.WaitForHeldAsync(1);
            _gate.Release(0);
        }

        Assert.Equal("END\r\n", await finish);
    }

    [Fact]
    public async Task Large_stores_are_limited_by_their_bytes()
    {
        _gate.Mode = GateMode.Held;
        var client = new MemoryClient(_gate, new MemcachedFrontEndOptions { MaxBufferedBytes = 250_000 });
        for (int i = 0; i < 5; i++)
        {
            await client.SendAsync($"set k{i} 0 0 100000\r\n{new string('x', 100_000)}\r\n");
        }

        Task<string> finish = client.FinishAsync();
        await _gate.WaitForHeldAsync(2);
        Assert.Equal(2, _gate.MostOpen);
        for (int i = 0; i < 5; i++)
        {
            await _gate.WaitForHeldAsync(1);
            _gate.Release(0);
        }

        Assert.Equal(string.Concat(Enumerable.Repeat("STORED\r\n", 5)), await finish);
        Assert.Equal(2, _gate.MostOpen);
    }

    [Fact]
    public async Task A_complete_command_is_answered_while_half_of_the_next_is_there()
    {
        // memcached keeps the answer until the data block is complete, and drops it if the client goes.
        var client = new MemoryClient(_gate);
        await client.SendAsync("version\r\nset a 0 0 5\r\nab");
        await client.ExpectAsync("VERSION 1.6.18-camcube-0.1.0\r\n");
        Assert.Equal("", await client.FinishAsync());
    }

    [Fact]
    public async Task A_get_with_a_bad_key_leaves_earlier_answers_alone()
    {
        // memcached takes back the answers of commands before it that came in the same packet.
        var client = new MemoryClient(_gate);
        await client.SendAsync($"version\r\nget a {new string('k', 251)}\r\n");
        Assert.Equal(
            "VERSION 1.6.18-camcube-0.1.0\r\nCLIENT_ERROR bad command line format\r\n",
            await client.FinishAsync()
        );
    }

    [Fact]
    public async Task Commands_before_quit_are_answered_and_those_behind_are_not_run()
    {
        _gate.Mode = GateMode.Held;
        var client = new MemoryClient(_gate);
        await client.SendAsync("delete a\r\ndelete b noreply\r\nquit\r\ndelete c\r\n");
        Task<string> end = client.ReceiveToEndAsync();
        await _gate.WaitForHeldAsync(2);
        Assert.Equal(2, _gate.HeldCount);
        _gate.ReleaseAll();
        Assert.Equal("NOT_FOUND\r\n", await end);
    }

    [Fact]
    public async Task A_client_that_leaves_does_not_free_memory_the_cache_still_has()
    {
        _gate.Mode = GateMode.Held;
        var client = new MemoryClient(_gate);
        await client.SendAsync("set a 0 0 5\r\nhello\r\n");
        await _gate.WaitForHeldAsync(1);
        client.Connection.Abort();
        Assert.Equal(0, client.Context.Connections.Count);
        Assert.False(client.HasEnded);
        _gate.ReleaseAll();
        Assert.Equal("", await client.ReceiveToEndAsync());
    }
}
