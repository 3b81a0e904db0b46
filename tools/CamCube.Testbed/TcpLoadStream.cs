using System.Net.Sockets;

namespace CamCube.Testbed;

/// <summary>One TCP connection, on which one side sends as fast as it can.</summary>
/// <param name="sending">The side that sends.</param>
/// <param name="receiving">The side that receives.</param>
/// <param name="from">Place of the end that sends.</param>
/// <param name="to">Place of the other one.</param>
internal sealed class TcpLoadStream(Socket sending, Socket receiving, int from, int to) : IDisposable
{
    private const int PieceBytes = 256 << 10;
    private long _sent;
    private long _received;

    /// <summary>Place of the end that sends.</summary>
    public int From => from;

    /// <summary>Place of the end that receives.</summary>
    public int To => to;

    /// <summary>Bytes that were given to the system.</summary>
    public long Sent => Volatile.Read(ref _sent);

    /// <summary>Bytes that came.</summary>
    public long Received => Volatile.Read(ref _received);

    /// <summary>Whether it ended although nobody wanted it to.</summary>
    public bool IsBroken { get; private set; }

    /// <summary>What the kernel counts on both sides.</summary>
    public TcpFacts Facts => TcpFacts.Of(receiving) with { SentAgain = TcpFacts.Of(sending).SentAgain };

    /// <summary>Sends and receives until it is cancelled, or breaks.</summary>
    public async Task RunAsync(CancellationToken cancel)
    {
        try
        {
            await Task.WhenAll(SendAsync(cancel), ReceiveAsync(cancel));
        }
        catch (OperationCanceledException)
        {
            // The time is over.
        }
        catch (SocketException)
        {
            IsBroken = !cancel.IsCancellationRequested;
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        // Nothing of what still waits is of use to anybody.
        sending.LingerState = new LingerOption(enable: true, seconds: 0);
        sending.Dispose();
        receiving.Dispose();
    }

    private async Task SendAsync(CancellationToken cancel)
    {
        byte[] piece = new byte[PieceBytes];
        while (true)
        {
            int length = await sending.SendAsync(piece, cancel);
            Volatile.Write(ref _sent, _sent + length);
        }
    }

    private async Task ReceiveAsync(CancellationToken cancel)
    {
        byte[] piece = new byte[PieceBytes];
        int length;
        while ((length = await receiving.ReceiveAsync(piece, cancel)) > 0)
        {
            Volatile.Write(ref _received, _received + length);
        }

        throw new SocketException((int)SocketError.ConnectionReset);
    }
}
