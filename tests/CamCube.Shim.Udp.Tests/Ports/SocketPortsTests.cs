using System.Diagnostics;
using CamCube.Shim.Udp.Ports;

namespace CamCube.Shim.Udp.Tests.Ports;

/// <summary>By .NET's sockets, as on systems other than Linux.</summary>
public sealed class SocketPortsTests : UdpPortsTests
{
    private protected override string Via => "Sockets";

    [Fact]
    public void It_talks_with_a_server_that_uses_batches()
    {
        using PortPair pair = Pair(Four, [("Mtu", "9000")]);
        pair.Settings(1)["Via"] = "Batches";
        pair.Open(0);
        pair.Open(1);
        pair.Talk();
        foreach (int server in (int[])[0, 1])
        {
            pair.Logs[1 - server].Frames.Clear();
            for (int length = 1; length <= 8_920; length += 37)
            {
                Assert.True(pair.Send(server, 0, (byte)length, length));
                pair.Round();
            }

            pair.Round();
            Assert.Equal(
                Enumerable.Range(0, 242).Select(i => 1 + (37 * i)),
                pair.Logs[1 - server].Frames.Select(f => f.Frame.Length)
            );
        }
    }

    [Fact]
    public void A_wake_of_another_thread_ends_a_sleep_and_so_does_a_datagram()
    {
        using PortPair pair = Pair(Four);
        UdpPorts ports = pair.Open(0);
        pair.Open(1);
        pair.Talk();
        for (int i = 0; i < 50; i++)
        {
            long began = Stopwatch.GetTimestamp();
            var thread = new Thread(
                i % 2 == 0
                    ? ports.Wake
                    : () =>
                    {
                        pair.Send(1, 0, 1, 100);
                        pair.Ports[1].Flush(pair.Logs[1], pair.Now);
                    }
            );
            thread.Start();

            // The ports' own deadlines are in the test's time, which stands still.
            ports.Wait(pair.Now, pair.Now + (20_000 * PortPair.Millisecond));
            thread.Join();
            Assert.InRange(Stopwatch.GetElapsedTime(began).TotalSeconds, 0, 5);
            pair.Round();
        }
    }

    [Fact]
    public void A_port_that_is_taken_and_an_address_of_nobody_are_named()
    {
        using PortPair pair = Pair(Four);
        pair.Open(0);
        Assert.Equal(
            $"UDP port {pair.BasePort} is taken (setting CamCube:Udp:BasePort; a server takes one port per link from "
                + "there on).",
            Taken(pair, Four[0])
        );
        Assert.Equal(
            "CamCube:Udp:BindAddress = '192.0.2.77': this machine has no such address.",
            Taken(pair, "192.0.2.77")
        );
    }

    private static string Taken(PortPair pair, string address)
    {
        pair.Settings(1)["BindAddress"] = address;
        pair.Settings(1)["BasePort"] = $"{pair.BasePort}";
        return Assert.Throws<LinkProviderException>(() => pair.Open(1)).Message;
    }
}
