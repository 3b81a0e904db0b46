using CamCube.Calls;
using CamCube.Services.KeyValue.Log;

namespace CamCube.Services.KeyValue.Operations;

/// <summary>
/// The result of one change, or of a batch of them, as it lies in the log of its group: which key has which value from
/// now on, and for whom that was done; or that it was refused, for good. Immutable.
/// </summary>
internal sealed class Operation
{
    private readonly byte[] _bytes;
    private readonly int _at;
    private readonly int _key;
    private readonly int _metadata;
    private readonly int _value;

    public Operation(
        OperationKind kind,
        in RequestId request,
        ulong closed,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> metadata,
        ReadOnlySpan<byte> value
    )
    {
        (Kind, Request, Closed) = (kind, request, closed);
        (_key, _metadata, _value) = (key.Length, metadata.Length, value.Length);
        _bytes = GC.AllocateUninitializedArray<byte>(key.Length + metadata.Length + value.Length);
        key.CopyTo(_bytes);
        metadata.CopyTo(_bytes.AsSpan(_key));
        value.CopyTo(_bytes.AsSpan(_key + _metadata));
        Pieces = kind == OperationKind.PutPieces ? PieceList.Read(value) : null;
        Parts = kind == OperationKind.Batch ? OperationParts.Read(this) : null;
    }

    /// <summary>A part of a batch, in its bytes.</summary>
    /// <param name="batch">The batch.</param>
    /// <param name="kind">What it makes of its key.</param>
    /// <param name="at">Where its key begins in the batch's value.</param>
    /// <param name="lengths">Bytes of key, metadata and value, one behind the other.</param>
    public Operation(Operation batch, OperationKind kind, int at, (int Key, int Metadata, int Value) lengths)
    {
        (Kind, Request, Closed, _bytes) = (kind, batch.Request, batch.Closed, batch._bytes);
        (_at, _key, _metadata, _value) = (batch._key + at, lengths.Key, lengths.Metadata, lengths.Value);
    }

    public OperationKind Kind { get; }

    /// <summary>It makes something else of its key.</summary>
    public bool IsChange => Kind != OperationKind.Refusal;

    /// <summary>There is no such key from now on.</summary>
    public bool IsDelete => Kind is OperationKind.Delete or OperationKind.Take;

    /// <summary>The <see cref="Lifetime"/> of the key; 0: until it is deleted.</summary>
    public uint Expires { get; init; }

    /// <summary>The version of the key whose time goes on with this one; 0: a time of its own. What is left of it is in
    /// <see cref="Expires"/>, rounded up, for those who do not know that version.</summary>
    public ulong TimeOf { get; init; }

    /// <summary>For whom: at most one operation that is committed has this id.</summary>
    public RequestId Request { get; }

    /// <summary>The asker waits for no request up to this number any more.</summary>
    public ulong Closed { get; }

    public ReadOnlySpan<byte> Key => _bytes.AsSpan(_at, _key);

    public ReadOnlySpan<byte> Metadata => _bytes.AsSpan(_at + _key, _metadata);

    public ReadOnlySpan<byte> Value => _bytes.AsSpan(_at + _key + _metadata, _value);

    /// <summary>The same to lend: it is never changed.</summary>
    public ReadOnlyMemory<byte> ValueMemory => _bytes.AsMemory(_at + _key + _metadata, _value);

    /// <summary>Of a batch: what it makes of each of its keys, each of another one; null: it is none.</summary>
    public Operation[]? Parts { get; }

    /// <summary>Of a part of a batch: which, from 0, and of how many; default: it is none.</summary>
    public (int Number, int Count) Part { get; init; }

    /// <summary>The pieces that the value lies in, instead of being here.</summary>
    public PieceList? Pieces { get; }

    /// <summary>Bytes of the value, wherever it lies.</summary>
    public int ValueLength => AwayLength > 0 ? AwayLength : (int)(Pieces?.Length ?? _value);

    /// <summary>Bytes of the value, if that was left in the log; 0: it is here.</summary>
    public int AwayLength { get; init; }

    /// <summary>Bytes that it keeps.</summary>
    public int Length => _key + _metadata + _value;

    /// <summary>A request is refused for good.</summary>
    /// <param name="request">The request.</param>
    /// <param name="closed">As of every operation.</param>
    /// <param name="key">The key that stays as it is.</param>
    /// <param name="outcome">Why, and the version that it saw.</param>
    public static Operation Refusing(in RequestId request, ulong closed, ReadOnlySpan<byte> key, in Outcome outcome)
    {
        Span<byte> value = stackalloc byte[Outcome.StepLength];
        return new Operation(OperationKind.Refusal, request, closed, key, default, value[..outcome.WriteTo(value)]);
    }

    /// <summary>What whoever asked for it is told.</summary>
    /// <param name="version">The version that a change has made.</param>
    public Outcome OutcomeOf(ulong version)
    {
        var done = new Outcome(KeyValueStatus.Done, version) { Number = ValueLength };
        return Kind switch
        {
            OperationKind.Refusal => Outcome.ReadFrom(Value),
            OperationKind.Batch => done with { Number = 0 },
            OperationKind.Exchange or OperationKind.Take => done with { IsLess = true },
            OperationKind.Add when DecimalNumber.TryRead(Value, out long sum) => done with
            {
                IsSum = true,
                Number = sum,
            },
            _ => done,
        };
    }
}
