using System.Buffers.Binary;

namespace CamCube.Workers.Tests;

/// <summary>A frame is a length and as many bytes; nobody says hello.</summary>
internal sealed class EchoProtocol : WorkerProtocol
{
    public override int MeasureAnswer(ReadOnlySpan<byte> received) =>
        received.Length < 4 ? 4 : 4 + BinaryPrimitives.ReadInt32LittleEndian(received);
}
