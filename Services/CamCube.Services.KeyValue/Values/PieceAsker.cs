using System.Runtime.CompilerServices;
using CamCube.Messaging;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Members;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.KeyValue.Values;

/// <summary>Asks one server for pieces of one value, some ahead. Loop only; one call at a time.</summary>
internal sealed class PieceAsker(ValueStreams streams, WatchedStream watched, PieceList list, RecoveryPace? pace)
    : IDisposable
{
    private readonly byte[] _head = new byte[ValueWire.IdBytes];
    private int _next = -1;
    private int _asked;

    /// <summary>Begins. Null: no way to it is known.</summary>
    /// <param name="streams">The streams.</param>
    /// <param name="source">The server.</param>
    /// <param name="list">The value.</param>
    /// <param name="patience">How long it may stand still.</param>
    /// <param name="onRest">Is told that nothing was asked for a while.</param>
    /// <param name="pace">Holds back what is asked for: it is for recovery. Null: somebody waits for it.</param>
    public static PieceAsker? Open(
        ValueStreams streams,
        Coordinate source,
        PieceList list,
        TimeSpan patience,
        Action? onRest = null,
        RecoveryPace? pace = null
    )
    {
        ulong label = pace is null ? ValueWire.Reading : ValueWire.Fetching;
        if (!streams.TryOpen(source, label, patience, out WatchedStream? watched))
        {
            return null;
        }

        watched.OnRest = onRest;
        return new PieceAsker(streams, watched, list, pace);
    }

    /// <summary>Whether the piece with this number is the next that comes.</summary>
    public bool IsAt(int number) => _next < 0 || _next == number;

    /// <summary>Gets the next piece.</summary>
    /// <param name="number">Which.</param>
    /// <param name="last">The last one that is wanted.</param>
    /// <param name="window">How many may be under way.</param>
    /// <param name="into">Where to; as long as a piece.</param>
    /// <returns>False: it does not come, or is not right.</returns>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<bool> GetAsync(int number, int last, int window, Memory<byte> into)
    {
        if (_next < 0)
        {
            _asked = number;
            ValueWire.WriteId(_head, list.Id);
            if (!await ValueWire.WriteAsync(watched, _head))
            {
                return false;
            }
        }

        _next = number + 1;
        for (; _asked <= last && _asked < number + window; _asked++)
        {
            if (pace is not null && !await pace.TakeAsync(list.LengthOf(_asked)))
            {
                return false;
            }

            WriteUInt32LittleEndian(_head, (uint)_asked);
            if (!await ValueWire.WriteAsync(watched, _head.AsMemory(0, ValueWire.NumberBytes)))
            {
                return false;
            }
        }

        watched.Wait();
        bool isHere = await ValueWire.ReadAsync(watched.Stream, _head.AsMemory(0, ValueWire.NumberBytes));
        int length = list.LengthOf(number);
        isHere =
            isHere
            && ReadUInt32LittleEndian(_head) == length
            && await ValueWire.ReadAsync(watched.Stream, into[..length]);
        watched.Go();
        return isHere && PieceList.SumOf(into.Span[..length]) == list.Sums[number];
    }

    /// <summary>Nothing more is wanted.</summary>
    public void Dispose() => streams.Close(watched);
}
