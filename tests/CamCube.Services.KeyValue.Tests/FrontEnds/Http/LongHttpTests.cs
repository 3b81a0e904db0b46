using System.Collections.Concurrent;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Text;
using CamCube.Services.KeyValue.FrontEnds.Http;
using CamCube.Services.KeyValue.Tests.Service;

namespace CamCube.Services.KeyValue.Tests.FrontEnds.Http;

/// <summary>Long values over HTTP, through the store and its disks.</summary>
public sealed class LongHttpTests
{
    private static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_long_value_is_put_and_got_whole_and_in_ranges()
    {
        await using LongCube cube = await LongCube.StartAsync();
        byte[] value = LongValues.Of(1, 5_000_001);
        StoreReply put = await cube.PutAsync(0, "a", value);
        Assert.Equal(204, put.Status);
        for (int rank = 0; rank < 3; rank++)
        {
            StoreReply got = await cube.SendAsync("GET", rank, "a");
            Assert.Equal((200, put.Headers["ETag"]), (got.Status, got.Headers["ETag"]));
            Assert.Equal(SHA256.HashData(value), SHA256.HashData(got.Body));
        }

        StoreReply head = await cube.SendAsync("HEAD", 1, "a");
        Assert.Equal((200, "5000001", 0), (head.Status, head.Headers["Content-Length"], head.Body.Length));
        foreach (
            (string range, int from, int to) in ((string, int, int)[])
                [
                    ("bytes=0-0", 0, 1),
                    ("bytes=262143-262144", 262_143, 262_145),
                    ("bytes=4999000-9999999", 4_999_000, 5_000_001),
                    ("bytes=-100", 4_999_901, 5_000_001),
                    ("bytes=100000-3000000", 100_000, 3_000_001),
                ]
        )
        {
            StoreReply part = await cube.SendAsync("GET", 2, "a", null, ("Range", range));
            Assert.Equal((206, $"bytes {from}-{to - 1}/5000001"), (part.Status, part.Headers["Content-Range"]));
            Assert.Equal(value[from..to], part.Body);
            string tag = put.Headers["ETag"];
            StoreReply same = await cube.SendAsync("GET", 0, "a", null, ("Range", range), ("If-Range", tag));
            Assert.Equal((206, to - from), (same.Status, same.Body.Length));
            StoreReply other = await cube.SendAsync("GET", 0, "a", null, ("Range", range), ("If-Range", "\"5\""));
            Assert.Equal((200, value.Length), (other.Status, other.Body.Length));
        }

        StoreReply behind = await cube.SendAsync("GET", 0, "a", null, ("Range", "bytes=5000001-"));
        Assert.Equal((416, "bytes */5000001"), (behind.Status, behind.Headers["Content-Range"]));
        StoreReply known = await cube.SendAsync("GET", 0, "a", null, ("If-None-Match", put.Headers["ETag"]));
        Assert.Equal(304, known.Status);
        Assert.Equal(412, (await cube.SendAsync("PUT", 1, "a", value, ("If-None-Match", "*"))).Status);
        Assert.Equal(204, (await cube.SendAsync("PUT", 1, "a", value, ("If-Match", put.Headers["ETag"]))).Status);
        Assert.Equal(412, (await cube.SendAsync("PUT", 1, "a", value, ("If-Match", put.Headers["ETag"]))).Status);
    }

    [Fact]
    public async Task A_crowd_finds_whole_values_while_hostile_ones_stop_and_a_server_begins_anew()
    {
        await using LongCube cube = await LongCube.StartAsync(
            new KeyValueHttpOptions { SlowestBody = 1_000, SlowGrace = TimeSpan.FromSeconds(2) }
        );
        using var end = CancellationTokenSource.CreateLinkedTokenSource(Cancel);
        Task[] hostile = [.. Enumerable.Range(0, 9).Select(i => HostileAsync(cube, i, end.Token))];
        var written = new ConcurrentDictionary<string, byte>();
        var byTag = new ConcurrentDictionary<string, string>();
        int done = 0;
        Task[] clients =
        [
            .. Enumerable
                .Range(0, 10)
                .Select(async i =>
                {
                    var random = new Random(i);
                    for (int round = 0; round < 6; round++)
                    {
                        byte[] value = LongValues.Of((i * 100) + round, random.Next(70_000, 2_000_000));
                        written[HashOf(value)] = 1;
                        string key = $"crowd-{random.Next(4)}";
                        StoreReply put = await cube.PutAsync(i % 2, key, value);
                        Assert.Contains(put.Status, (int[])[204, 503, 504]);
                        try
                        {
                            StoreReply got = await cube.SendAsync("GET", (i + 1) % 2, key);
                            Assert.Contains(got.Status, (int[])[200, 404, 503]);
                            if (got.Status == 200)
                            {
                                Assert.True(written.ContainsKey(HashOf(got.Body)), "nobody wrote that");
                                string hash = byTag.GetOrAdd($"{key} {got.Headers["ETag"]}", HashOf(got.Body));
                                Assert.Equal(hash, HashOf(got.Body));
                                Interlocked.Increment(ref done);
                            }
                        }
                        catch (HttpRequestException)
                        {
                            // It was broken off in the middle: nothing that looks whole.
                        }
                    }
                }),
        ];
        Task crowd = Task.WhenAll(clients);
        await PassAsync(crowd, () => done, 10);
        await cube.Cube.StopServerAsync(2);
        await PassAsync(crowd, () => done, 25);
        await cube.Cube.StartServerAsync(2);
        await crowd.WaitAsync(StoreCube.Generous, Cancel);
        await end.CancelAsync();
        await Task.WhenAll(hostile).WaitAsync(StoreCube.Generous, Cancel);
        Assert.True(done > 30, $"{done}");
        Assert.Equal(404, (await cube.SendAsync("GET", 0, "hostile")).Status);
    }

    // The fault is in the middle of the crowd's work, however fast that goes.
    private static async Task PassAsync(Task crowd, Func<int> count, int least)
    {
        while (count() < least && !crowd.IsCompleted)
        {
            await Task.Delay(5, Cancel);
        }
    }

    // Announce much and stop, leave in the middle, lie about chunks, or ask and never read.
    private static async Task HostileAsync(LongCube cube, int number, CancellationToken cancel)
    {
        while (!cancel.IsCancellationRequested)
        {
            try
            {
                using TcpClient client = new();
                await client.ConnectAsync(cube.At(number % 2), cancel);
                NetworkStream stream = client.GetStream();
                string head = (number % 3) switch
                {
                    0 => "PUT /kv/hostile HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3000000\r\n\r\n",
                    1 => "PUT /kv/hostile HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nfffff\r\n",
                    _ => $"GET /kv/crowd-{number % 4} HTTP/1.1\r\nHost: localhost\r\n\r\n",
                };
                await stream.WriteAsync(Encoding.ASCII.GetBytes(head), cancel);
                await stream.WriteAsync(new byte[number % 3 == 2 ? 0 : 600_000], cancel);
                await Task.Delay(100 * (number + 1), cancel);
            }
            catch (Exception e) when (e is IOException or OperationCanceledException or SocketException)
            {
                // As it wants.
            }
        }
    }

    private static string HashOf(byte[] value) => Convert.ToHexString(SHA256.HashData(value));
}
