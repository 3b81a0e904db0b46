using System.Buffers;

namespace CamCube.Services.KeyValue.FrontEnds.Http;

/// <summary>A change by what is there, on its way through the gate.</summary>
/// <param name="Key">The key.</param>
/// <param name="Conditions">What must be so.</param>
/// <param name="Change">What is to be done.</param>
/// <param name="Answer">Takes the answer's value.</param>
internal sealed record PostedChange(
    KeyValueKey Key,
    ChangeConditions Conditions,
    KeyValueChange Change,
    IBufferWriter<byte> Answer
)
{
    private volatile bool _isBegun;

    /// <summary>Whether the store has seen it: what ended without an answer then is unknown.</summary>
    public bool IsBegun => _isBegun;

    /// <summary>Makes it. Loop only.</summary>
    public static ValueTask<KeyValueAnswer> MakeAsync(IKeyValueStore store, PostedChange posted)
    {
        posted._isBegun = true;
        return posted.Conditions.ChangeAsync(condition =>
            store.ChangeAsync(posted.Key, posted.Change with { Condition = condition }, posted.Answer)
        );
    }
}
