namespace CamCube.Shim.Udp.Sealing;

/// <summary>Puts frames together again that were too long for one datagram and came in two. Not thread-safe.</summary>
/// <param name="longest">Longest frame.</param>
internal sealed class FrameJoiner(int longest)
{
    private readonly byte[] _frame = new byte[longest];
    private uint _keyId;
    private ulong _counter;
    private FramePart _part;
    private int _length;

    /// <summary>Takes an opened datagram that is a part.</summary>
    /// <param name="datagram">The datagram, with header and tag.</param>
    /// <param name="frame">The whole frame, if the answer is true; valid until the next call.</param>
    /// <returns>Whether the frame is whole now. A part whose other part does not come next is forgotten.</returns>
    public bool TryJoin(ReadOnlySpan<byte> datagram, out ReadOnlySpan<byte> frame)
    {
        frame = default;
        FramePart part = FrameFormat.PartOf(datagram);
        uint keyId = FrameFormat.KeyIdOf(datagram);
        ulong counter = FrameFormat.CounterOf(datagram);
        ReadOnlySpan<byte> bytes = datagram[FrameFormat.HeaderLength..^FrameFormat.TagLength];
        bool isSecond = part == FramePart.Second;
        bool fits =
            _part != FramePart.Whole
            && _part != part
            && _keyId == keyId
            && (isSecond ? _counter + 1 == counter : counter + 1 == _counter);
        if (!fits || _length + bytes.Length > longest)
        {
            bool keeps = bytes.Length <= longest;
            (_part, _keyId, _counter, _length) = (keeps ? part : FramePart.Whole, keyId, counter, bytes.Length);
            if (keeps)
            {
                bytes.CopyTo(_frame);
            }

            return false;
        }

        if (isSecond)
        {
            bytes.CopyTo(_frame.AsSpan(_length));
        }
        else
        {
            _frame.AsSpan(0, _length).CopyTo(_frame.AsSpan(bytes.Length));
            bytes.CopyTo(_frame);
        }

        frame = _frame.AsSpan(0, _length + bytes.Length);
        _part = FramePart.Whole;
        return true;
    }
}
