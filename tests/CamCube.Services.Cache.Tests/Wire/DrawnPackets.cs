using System.Runtime.InteropServices;
using CamCube.Calls;
using CamCube.Messaging;
using CamCube.Services.Cache.Tests.Cubes;
using CamCube.Services.Cache.Wire;

namespace CamCube.Services.Cache.Tests.Wire;

/// <summary>
/// Packets of the cache as a broken or hostile server may send them: of every kind, with every field and length over
/// its whole range, and packets that were seen on a cable with something in them changed.
/// </summary>
internal sealed class DrawnPackets(Random random, TorusShape shape)
{
    private const int MostSeen = 256;
    private const int LastKind = (int)PacketKind.CopyFlushed;
    private readonly List<(CacheHeader Header, byte[] Body)> _seen = [];
    private readonly byte[] _body = new byte[2_048];

    /// <summary>Keys that are in use.</summary>
    public required string[] Keys { get; init; }

    /// <summary>Drawn packets by kind.</summary>
    public long[] ByKind { get; } = new long[LastKind + 2];

    /// <summary>Notes a packet that servers really sent.</summary>
    public void See(in CacheHeader header, ReadOnlySpan<byte> body)
    {
        if (_seen.Count < MostSeen)
        {
            _seen.Add((header, body.ToArray()));
        }
        else
        {
            _seen[random.Next(MostSeen)] = (header, body.ToArray());
        }
    }

    /// <summary>The next packet. The body is valid until the next call.</summary>
    public CacheHeader Next(out ReadOnlySpan<byte> body)
    {
        int length;
        CacheHeader header = _seen.Count > 0 && random.Next(3) == 0 ? Change(out length) : Make(out length);
        if (random.Next(8) != 0)
        {
            // One whole message, as otherwise the cache never sees it.
            ref MessageHeader message = ref header.Message;
            (message.Length, message.PieceLength, message.Piece) = ((uint)length, (ushort)Math.Max(1, length), 0);
            message.Kind = MessageKind.Piece;
        }

        ByKind[Math.Min((int)header.Kind, LastKind + 1)]++;
        body = _body.AsSpan(0, length);
        return header;
    }

    // A packet that was seen, longer, shorter, or with other bytes.
    private CacheHeader Change(out int length)
    {
        (CacheHeader header, byte[] body) = _seen[random.Next(_seen.Count)];
        length = random.Next(4) switch
        {
            0 => random.Next(body.Length + 1),
            1 => Math.Min(_body.Length, body.Length + random.Next(300)),
            _ => body.Length,
        };
        random.NextBytes(_body.AsSpan(0, length));
        body.AsSpan(0, Math.Min(length, body.Length)).CopyTo(_body);
        for (int i = random.Next(4); i > 0; i--)
        {
            Span<byte> fields = MemoryMarshal.AsBytes(new Span<CacheHeader>(ref header));
            Span<byte> target = length > 0 && random.Next(2) == 0 ? _body.AsSpan(0, length) : fields;
            target[random.Next(target.Length)] = (byte)random.Next(256);
        }

        return header;
    }

    private CacheHeader Make(out int length)
    {
        string name = Keys[random.Next(Keys.Length)];
        byte[] key = CacheCube.Bytes(name);
        var header = new CacheHeader
        {
            Message = new MessageHeader
            {
                Run = Number(),
                Sequence = (uint)Number(),
                Length = (uint)Number(),
                PieceLength = (ushort)Number(),
                Piece = (ushort)random.Next(4),
                Kind = (MessageKind)random.Next(6),
            },
            MemId = random.Next(4) == 0 ? Key.OfName($"{random.Next()}") : Key.OfName(name),
            Question = Number(),
            Flags = (uint)Number(),
            Kind = (byte)(random.Next(32) == 0 ? random.Next(256) : random.Next(1, LastKind + 1)),
            Code = (byte)(random.Next(4) == 0 ? random.Next(256) : random.Next(16)),
            KeyLength = (byte)(
                random.Next(2) == 0 ? key.Length
                : random.Next(4) == 0 ? random.Next(245, 256)
                : random.Next(256)
            ),
            Attempt = (byte)random.Next(256),
        };
        random.NextBytes(_body);
        int before = HeadOf((PacketKind)header.Kind);
        key.CopyTo(_body, before);
        length = before + header.KeyLength;
        length += (PacketKind)header.Kind switch
        {
            PacketKind.Copy => AnswerHead.Size + (random.Next(2) * random.Next(1_200)),
            PacketKind.Change or PacketKind.Answer => random.Next(2) * random.Next(1_200),
            PacketKind.Counted => random.Next(600),
            _ => 0,
        };
        if (random.Next(4) == 0)
        {
            length = random.Next(2) == 0 ? length + random.Next(-3, 4) : random.Next(1_500);
        }

        length = Math.Clamp(length, 0, _body.Length);
        return header;
    }

    // Writes the fixed part of a kind's content, and says how long it is.
    private int HeadOf(PacketKind kind)
    {
        switch (kind)
        {
            case PacketKind.Change:
                MemoryMarshal.Write(
                    _body,
                    new ChangeHead
                    {
                        Call = new CallHead
                        {
                            Number = Number(),
                            RootRun = Number(),
                            DeadlineNanos = (long)Number(),
                        },
                        Cas = Number(),
                        Expiry = (long)Number(),
                        Delta = Number(),
                        Initial = Number(),
                        VivifyExpiry = (long)Number(),
                        RecacheSeconds = (int)Number(),
                        Options = (ushort)Number(),
                        IsTooLarge = (ushort)random.Next(3),
                        Root = AnyServer(),
                    }
                );
                return ChangeHead.Size;
            case PacketKind.Fetch:
                MemoryMarshal.Write(_body, AnyFetch());
                return FetchHead.Size;
            case PacketKind.Copy:
                MemoryMarshal.Write(
                    _body,
                    new CopyHead
                    {
                        Fetch = AnyFetch(),
                        LeaseNanos = (long)Number(),
                        FlushStamp = Number(),
                    }
                );
                return CopyHead.Size;
            case PacketKind.Flush or PacketKind.FlushNews:
                MemoryMarshal.Write(_body, new FlushHead { Stamp = Number(), DelayNanos = (long)Number() });
                return FlushHead.Size;
            case PacketKind.Answer:
                return AnswerHead.Size;
            case PacketKind.Refusal:
                return RefusalHead.Size;
            default:
                return 0;
        }
    }

    private FetchHead AnyFetch() =>
        new()
        {
            HolderRun = Number(),
            AskedNanos = (long)Number(),
            HasCas = Number(),
            Asker = AnyServer(),
            IsSame = (ushort)random.Next(3),
        };

    private Coordinate AnyServer() =>
        random.Next(4) == 0
            ? new Coordinate((ushort)Number(), (ushort)Number(), (ushort)Number())
            : shape.At(random.Next(shape.Count));

    private ulong Number() =>
        random.Next(8) switch
        {
            0 => 0,
            1 => (ulong)random.Next(300),
            2 => ulong.MaxValue - (ulong)random.Next(3),
            3 => long.MaxValue - (ulong)random.Next(3),
            4 => (ulong)int.MaxValue + (ulong)random.Next(3),
            5 => 1UL << random.Next(64),
            _ => (ulong)random.NextInt64(),
        };
}
