namespace CamCube.Shim.Udp.Tests.Ports;

/// <summary>By Linux's batches.</summary>
public sealed class BatchedPortsTests : UdpPortsTests
{
    private protected override string Via => "Batches";

    [Fact]
    public void What_does_not_fit_into_the_kernel_s_buffer_is_counted()
    {
        using var pair = Pair(Four, [("Mtu", "9000"), ("SocketBuffer", "65536")]);
        pair.Open(0);
        pair.Open(1);
        pair.Talk();
        pair.Logs[1].CountsOnly = true;
        long received = pair.Logs[1].Count;
        const int Sent = 400;
        for (int i = 0; i < Sent; i++)
        {
            // One after the other: joined datagrams would be lost, and counted, as one.
            Assert.True(pair.Send(0, 0, 9, 1_000));
            pair.Ports[0].Flush(pair.Logs[0], pair.Now);
        }

        pair.Until(() => pair.Logs[1].DropsOf(DropReason.ReceiveFull) > 0, "no drops");
        received = pair.Logs[1].Count - received;
        Assert.InRange(received, 1, Sent - 1);
        Assert.Equal(Sent - received, pair.Logs[1].DropsOf(DropReason.ReceiveFull));

        // Nothing is counted twice.
        pair.Logs[1].CountsOnly = false;
        pair.Now += 1_000 * PortPair.Millisecond;
        pair.Talk();
        Assert.Equal(Sent - received, pair.Logs[1].DropsOf(DropReason.ReceiveFull));
    }
}
