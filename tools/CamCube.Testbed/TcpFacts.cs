using System.Buffers.Binary;
using System.Net.Sockets;

namespace CamCube.Testbed;

/// <summary>What the kernel counts of one TCP connection (<c>tcp_info</c> of Linux 5.4 and later; older ones count
/// less, which is 0 here).</summary>
/// <param name="SentAgain">Segments that were sent again.</param>
/// <param name="SegmentsIn">Segments with data that came.</param>
/// <param name="OutOfOrder">Those that came before an earlier one.</param>
internal readonly record struct TcpFacts(long SentAgain, long SegmentsIn, long OutOfOrder)
{
    private const int Level = 6,
        Info = 11;
    private const int SentAgainAt = 100,
        SegmentsInAt = 152,
        OutOfOrderAt = 224,
        End = 228;

    /// <summary>Asks for them.</summary>
    public static TcpFacts Of(Socket socket)
    {
        Span<byte> info = stackalloc byte[End];
        info.Clear();
        try
        {
            socket.GetRawSocketOption(Level, Info, info);
        }
        catch (SocketException)
        {
            // It has ended in a way that leaves nothing to ask.
        }

        return new TcpFacts(At(info, SentAgainAt), At(info, SegmentsInAt), At(info, OutOfOrderAt));
    }

    private static long At(ReadOnlySpan<byte> info, int offset) =>
        BitConverter.IsLittleEndian
            ? BinaryPrimitives.ReadUInt32LittleEndian(info[offset..])
            : BinaryPrimitives.ReadUInt32BigEndian(info[offset..]);
}
