namespace CamCube.Loads.Resp;

/// <summary>One answer among received bytes, without a copy of anything.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="At">Where its text or its bytes begin; of an array, where its first element begins.</param>
/// <param name="Length">Bytes of its text or value; of an array, how many elements it has.</param>
/// <param name="Number">Of a number: that.</param>
/// <param name="Taken">Bytes of all of it, elements included: the next answer is behind them.</param>
public readonly record struct RespHead(RespKind Kind, int At, int Length, long Number, int Taken)
{
    /// <summary>Text or bytes.</summary>
    /// <param name="bytes">What was received, from where it was read.</param>
    public ReadOnlySpan<byte> In(ReadOnlySpan<byte> bytes) =>
        Kind is RespKind.Null or RespKind.Array ? [] : bytes.Slice(At, Length);
}
