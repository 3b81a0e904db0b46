using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using CamCube.SystemTests.Cables;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.Memcached;

/// <summary>As many connections as a busy memcached has.</summary>
public sealed class ManyConnectionsTests(ITestOutputHelper output)
{
    private const int Connections = 10_000;
    private const int MostBytesPerIdleConnection = 4_096;

    [Fact]
    public async Task Ten_thousand_clients_are_all_answered_and_cost_little_while_they_are_idle()
    {
        RequireAll.Check(OperatingSystem.IsLinux() ? null : "resident memory is read on Linux only");
        RequireAll.Check(
            MayOpen(Connections + 500) ? null : $"this process may not open {Connections + 500} files (ulimit -n)"
        );
        await using MemcachedProcess server = await MemcachedProcess.StartAsync(
            null,
            "-c",
            $"{Connections + 100}",
            "-b",
            "4096"
        );
        using MemcachedClient observer = await MemcachedClient.ConnectAsync(server.PlainPort);

        // Warm: what belongs to no connection is there.
        for (int i = 0; i < 10_000; i++)
        {
            await observer.SendAsync("version\r\n");
        }

        long before = server.ResidentBytes;
        Socket[] clients = new Socket[Connections];
        try
        {
            for (int i = 0; i < Connections; i++)
            {
                // A reset at the end: ports would be taken for a minute otherwise.
                clients[i] = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
                {
                    NoDelay = true,
                    ReceiveTimeout = 60_000,
                    LingerState = new LingerOption(true, 0),
                };
                clients[i].Connect(IPAddress.Loopback, server.Port);
            }

            // Everybody is accepted, and nobody has asked yet.
            while (await observer.StatAsync("curr_connections") != $"{Connections + 1}")
            {
                // The loop takes 64 at a time.
            }

            long connected = server.ResidentBytes;
            for (int round = 0; round < 3; round++)
            {
                AskAll(clients, round);
            }

            long asked = server.ResidentBytes;
            Assert.Equal($"{Connections + 1}", await observer.StatAsync("curr_connections"));
            Assert.Equal("0", await observer.StatAsync("rejected_connections"));
            Assert.Equal("0", await observer.StatAsync("listen_disabled_num"));
            output.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"resident bytes per idle connection: {(connected - before) / Connections} that never asked, "
                        + $"{(asked - before) / Connections} that did"
                )
            );
            Assert.InRange((asked - before) / Connections, 0, MostBytesPerIdleConnection);
        }
        finally
        {
            foreach (Socket? client in clients)
            {
                client?.Dispose();
            }
        }

        while (await observer.StatAsync("curr_connections") != "1")
        {
            // They are gone one after the other.
        }
    }

    // All requests are under way before the first answer is read.
    private static void AskAll(Socket[] clients, int round)
    {
        byte[] buffer = new byte[256];
        for (int i = 0; i < clients.Length; i++)
        {
            clients[i].Send(Encoding.ASCII.GetBytes($"set key{i} {round} 0 5\r\n{i:00000}\r\nget key{i}\r\n"));
        }

        for (int i = 0; i < clients.Length; i++)
        {
            string expected = $"STORED\r\nVALUE key{i} {round} 5\r\n{i:00000}\r\nEND\r\n";
            for (int count = 0; count < expected.Length; )
            {
                int n = clients[i].Receive(buffer.AsSpan(count, expected.Length - count));
                Assert.True(n > 0, $"connection {i} was closed");
                count += n;
                if (count == expected.Length)
                {
                    Assert.Equal(expected, Encoding.ASCII.GetString(buffer, 0, count));
                }
            }
        }
    }

    // .NET raises the soft limit to the hard one when it starts.
    private static bool MayOpen(int files)
    {
        string line = File.ReadLines("/proc/self/limits")
            .First(l => l.StartsWith("Max open files", StringComparison.Ordinal));
        string limit = line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[3];
        return limit == "unlimited" || int.Parse(limit, CultureInfo.InvariantCulture) >= files;
    }
}
