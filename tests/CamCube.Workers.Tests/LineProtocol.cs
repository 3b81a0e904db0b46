namespace CamCube.Workers.Tests;

/// <summary>A frame is a line; a byte of 1 is in none.</summary>
internal sealed class LineProtocol : WorkerProtocol
{
    public override int MeasureHello(ReadOnlySpan<byte> received) => MeasureAnswer(received);

    public override int MeasureAnswer(ReadOnlySpan<byte> received)
    {
        int end = received.IndexOf((byte)'\n');
        return received.Contains((byte)1) ? Rubbish
            : end < 0 ? received.Length + 1
            : end + 1;
    }
}
