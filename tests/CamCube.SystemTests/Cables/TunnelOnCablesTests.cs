using System.Security.Cryptography;

namespace CamCube.SystemTests.Cables;

/// <summary>The tunnel between processes on cables, one of which is killed while programs use it.</summary>
[Collection(CablesGroup.Name)]
public sealed class TunnelOnCablesTests
{
    private const int Length = 24 << 20;
    private const int Port = 8_000;
    private const int Crowd = 8;

    // Each is well on its way, and far from its end.
    private const int Begun = 1 << 20;

    [Fact]
    public async Task A_crowd_of_connections_lives_through_kill_9_of_a_server_on_their_way_and_it_comes_back()
    {
        RequireAll.Program("ping");
        RequireAll.Program("curl");
        RequireAll.Check(File.Exists("/dev/net/tun") ? null : "there is no /dev/net/tun");
        await using CableBed bed = await CableBed.StartAsync("4x1x1", "ethernet", "--tunnel");

        // Servers 1 and 3 are between 0 and 2, one on either way round the ring.
        await AwaitAnswerAsync(bed, 0, "10.77.0.3");
        await AwaitAnswerAsync(bed, 0, "10.77.0.2");
        await AwaitAnswerAsync(bed, 0, "fd37:cc:77:0:1:2:0:0");
        using var web = new TestWeb(bed.NamespaceOf(2), Port, Length);
        string[] files = [.. Enumerable.Range(0, Crowd).Select(_ => Path.GetTempFileName())];
        Task[] transfers =
        [
            .. files.Select(
                (file, i) => TransferAsync(bed, web, i % 2 == 0 ? "10.77.0.3" : "[fd37:cc:77:0:1:2:0:0]", file)
            ),
        ];
        await bed.UntilAsync(
            "all transfers are on their way",
            () => Task.FromResult(files.Min(file => File.Exists(file) ? new FileInfo(file).Length : Length)),
            bytes => bytes >= Begun,
            TimeSpan.FromSeconds(60)
        );
        Assert.DoesNotContain(transfers, transfer => transfer.IsCompleted);
        await bed.DoAsync("kill", bed.Coordinate(1), "--signal", "KILL");
        await Task.WhenAll(transfers);

        // The others know by now, and say so; and one another they reach.
        ProgramRun gone = await PingAsync(bed, 0, "10.77.0.2");
        Assert.Contains("From 10.77.255.253 icmp_seq=1 Destination Host Unreachable", gone.Output);
        await AwaitAnswerAsync(bed, 0, "10.77.0.3");
        await bed.DoAsync("start", bed.Coordinate(1));
        await AwaitAnswerAsync(bed, 0, "10.77.0.2");
        await AwaitAnswerAsync(bed, 1, "fd37:cc:77:0:1:2:0:0");
    }

    private static Task<ProgramRun> PingAsync(CableBed bed, int rank, string to) =>
        ProgramRun.Of("ip", "netns", "exec", bed.NamespaceOf(rank), "ping", "-c", "1", "-W", "2", to);

    private static Task<ProgramRun> AwaitAnswerAsync(CableBed bed, int rank, string to) =>
        bed.UntilAsync(
            $"{to} answers {rank}",
            () => PingAsync(bed, rank, to),
            ping => ping.ExitCode == 0,
            TimeSpan.FromSeconds(60)
        );

    private static async Task TransferAsync(CableBed bed, TestWeb web, string host, string file)
    {
        try
        {
            await bed.InsideAsync(
                0,
                "curl",
                "-sS",
                "-m",
                "100",
                "-o",
                file,
                "--limit-rate",
                "4M",
                $"http://{host}:{Port}/"
            );
            await using FileStream came = File.OpenRead(file);
            Assert.Equal(Length, came.Length);
            Assert.Equal(web.Hash, await SHA256.HashDataAsync(came, TestContext.Current.CancellationToken));
        }
        finally
        {
            File.Delete(file);
        }
    }
}
