namespace CamCube.Tool.Checks;

/// <summary>What is known of a value on the stack or in a variable.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Number">The number; whose address; the place that a packet came from; the method behind a
/// delegate.</param>
internal readonly record struct FlowValue(FlowKind Kind, int Number = 0)
{
    /// <summary>Whether it is no null, no zero and no false; null: that is not known.</summary>
    public bool? IsTrue(Func<int, bool> isRented) =>
        Kind switch
        {
            FlowKind.Number => Number != 0,
            FlowKind.Null => false,
            FlowKind.Packet when isRented(Number) => true,
            FlowKind.Delegate or FlowKind.Function or FlowKind.Address or FlowKind.This => true,
            _ => null,
        };
}
