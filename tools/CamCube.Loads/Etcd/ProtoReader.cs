namespace CamCube.Loads.Etcd;

/// <summary>Reads fields of a message of Protocol Buffers.</summary>
internal ref struct ProtoReader(ReadOnlySpan<byte> message)
{
    private ReadOnlySpan<byte> _rest = message;

    /// <summary>The number of the field that was read.</summary>
    public int Field { get; private set; }

    /// <summary>Its value, if it is a number.</summary>
    public ulong Number { get; private set; }

    /// <summary>Its value, if it is bytes.</summary>
    public ReadOnlySpan<byte> Bytes { get; private set; }

    /// <summary>Reads the next field. False: there is none.</summary>
    /// <exception cref="IOException">It is no message.</exception>
    public bool Next()
    {
        if (_rest.IsEmpty)
        {
            return false;
        }

        ulong tag = ReadNumber();
        Field = (int)(tag >> 3);
        Number = 0;
        Bytes = [];
        switch (tag & 7)
        {
            case 0:
                Number = ReadNumber();
                return true;
            case 1:
                Bytes = Take(8);
                return true;
            case 2:
                Bytes = Take(ReadNumber());
                return true;
            case 5:
                Bytes = Take(4);
                return true;
            default:
                throw Broken();
        }
    }

    private static IOException Broken() => new("the answer is no message of Protocol Buffers.");

    private ReadOnlySpan<byte> Take(ulong count)
    {
        if (count > (ulong)_rest.Length)
        {
            throw Broken();
        }

        ReadOnlySpan<byte> bytes = _rest[..(int)count];
        _rest = _rest[(int)count..];
        return bytes;
    }

    private ulong ReadNumber()
    {
        ulong number = 0;
        for (int shift = 0; shift < 64 && !_rest.IsEmpty; shift += 7)
        {
            byte one = _rest[0];
            _rest = _rest[1..];
            number |= (ulong)(one & 0x7F) << shift;
            if (one < 0x80)
            {
                return number;
            }
        }

        throw Broken();
    }
}
