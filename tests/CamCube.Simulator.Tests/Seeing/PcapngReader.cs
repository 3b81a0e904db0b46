using System.Buffers.Binary;
using System.Text;

namespace CamCube.Simulator.Tests.Seeing;

/// <summary>Reads a pcapng file strictly, by the specification and not by our writer.</summary>
internal sealed class PcapngReader
{
    public PcapngReader(byte[] file)
    {
        int at = 0;
        while (at < file.Length)
        {
            ReadOnlySpan<byte> block = file.AsSpan(at);
            uint type = Word(block, 0);
            int length = (int)Word(block, 4);
            Assert.True(length % 4 == 0 && length >= 12 && length <= block.Length, $"block of {length} at {at}");
            Assert.Equal((uint)length, Word(block, length - 4));
            ReadOnlySpan<byte> body = block[8..(length - 4)];
            switch (type)
            {
                case 0x0A0D0D0A:
                    Assert.Equal(0, at);
                    Assert.Equal(0x1A2B3C4Du, Word(body, 0));
                    Assert.Equal(1u, Word(body, 4));
                    Options(body[16..]);
                    break;
                case 1:
                    Assert.Equal(1, BinaryPrimitives.ReadUInt16LittleEndian(body));
                    Dictionary<int, byte[]> options = Options(body[8..]);
                    Assert.Equal([9], options[9]);
                    Interfaces.Add(
                        (
                            Encoding.UTF8.GetString(options[2]),
                            options.TryGetValue(8, out byte[]? speed) ? BitConverter.ToInt64(speed) : 0
                        )
                    );
                    break;
                case 6:
                    int captured = (int)Word(body, 12);
                    Frames.Add(
                        new Frame(
                            Interfaces[(int)Word(body, 0)].Name,
                            (long)(((ulong)Word(body, 4) << 32) | Word(body, 8)),
                            body.Slice(20, captured).ToArray(),
                            (int)Word(body, 16),
                            BitConverter.ToInt32(Options(body[(20 + ((captured + 3) & ~3))..])[2]) == 1
                        )
                    );
                    break;
                default:
                    Assert.Fail($"unknown block {type:x8} at {at}");
                    break;
            }

            at += length;
        }
    }

    public List<(string Name, long BitsPerSecond)> Interfaces { get; } = [];

    public List<Frame> Frames { get; } = [];

    private static uint Word(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadUInt32LittleEndian(bytes[at..]);

    private static Dictionary<int, byte[]> Options(ReadOnlySpan<byte> bytes)
    {
        var options = new Dictionary<int, byte[]>();
        while (true)
        {
            int code = BinaryPrimitives.ReadUInt16LittleEndian(bytes),
                length = BinaryPrimitives.ReadUInt16LittleEndian(bytes[2..]);
            if (code == 0)
            {
                Assert.Equal(4, bytes.Length);
                return options;
            }

            options[code] = bytes.Slice(4, length).ToArray();
            bytes = bytes[(4 + ((length + 3) & ~3))..];
        }
    }

    public sealed record Frame(string Interface, long Nanos, byte[] Bytes, int OriginalLength, bool IsInbound)
    {
        public ushort Service => BinaryPrimitives.ReadUInt16LittleEndian(Bytes.AsSpan(18));
    }
}
