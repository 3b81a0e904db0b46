using System.Buffers;
using System.Buffers.Binary;
using System.Text;

namespace CamCube.Capture;

/// <summary>
/// Blocks of pcapng (draft-ietf-opsawg-pcapng): section header, interface descriptions, enhanced packets;
/// little-endian, padded to four bytes. Not thread-safe.
/// </summary>
internal sealed class PcapngWriter : IDisposable
{
    private const uint SectionHeader = 0x0A0D_0D0A;
    private const uint InterfaceDescription = 1;
    private const uint EnhancedPacket = 6;
    private const ushort Ethernet = 1;
    private readonly Stream _stream;
    private readonly ArrayBufferWriter<byte> _block = new(4_096);

    public PcapngWriter(Stream stream)
    {
        _stream = new BufferedStream(stream, 1 << 16);
        Word(0x1A2B_3C4D);
        Word(1); // version 1.0
        Word(uint.MaxValue);
        Word(uint.MaxValue); // the length of the section is not known
        Option(4, Encoding.UTF8.GetBytes("CamCube"));
        EndBlock(SectionHeader);
    }

    /// <summary>A network interface; they are numbered from 0.</summary>
    public void Interface(string name, string description, long bitsPerSecond)
    {
        Word(Ethernet);
        Word(0); // no limit of what is captured of a frame
        Option(2, Encoding.UTF8.GetBytes(name));
        Option(3, Encoding.UTF8.GetBytes(description));
        if (bitsPerSecond > 0)
        {
            Span<byte> speed = stackalloc byte[8];
            BinaryPrimitives.WriteInt64LittleEndian(speed, bitsPerSecond);
            Option(8, speed);
        }

        Option(9, [9]); // time stamps count 10^-9 s
        EndBlock(InterfaceDescription);
    }

    /// <summary>A frame of which the first bytes were captured.</summary>
    public void Frame(int number, long unixNanos, ReadOnlySpan<byte> captured, int originalLength, bool isInbound)
    {
        Word((uint)number);
        Word((uint)((ulong)unixNanos >> 32));
        Word((uint)unixNanos);
        Word((uint)captured.Length);
        Word((uint)originalLength);
        Padded(captured);
        Span<byte> flags = stackalloc byte[4];
        BinaryPrimitives.WriteUInt32LittleEndian(flags, isInbound ? 1u : 2u);
        Option(2, flags);
        EndBlock(EnhancedPacket);
    }

    public void Flush() => _stream.Flush();

    public void Dispose() => _stream.Dispose();

    private void Word(uint value)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(_block.GetSpan(4), value);
        _block.Advance(4);
    }

    private void Option(ushort code, ReadOnlySpan<byte> value)
    {
        Word(code | ((uint)value.Length << 16));
        Padded(value);
    }

    private void Padded(ReadOnlySpan<byte> bytes)
    {
        _block.Write(bytes);
        int padding = -bytes.Length & 3;
        _block.GetSpan(4)[..padding].Clear();
        _block.Advance(padding);
    }

    // Every block here has options, so every one ends with the end of options.
    private void EndBlock(uint type)
    {
        Word(0);
        uint length = (uint)_block.WrittenCount + 12;
        Span<byte> word = stackalloc byte[4];
        BinaryPrimitives.WriteUInt32LittleEndian(word, type);
        _stream.Write(word);
        BinaryPrimitives.WriteUInt32LittleEndian(word, length);
        _stream.Write(word);
        _stream.Write(_block.WrittenSpan);
        _stream.Write(word);
        _block.ResetWrittenCount();
    }
}
