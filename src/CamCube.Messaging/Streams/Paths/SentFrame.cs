using CamCube.Messaging.Streams.Wire;

namespace CamCube.Messaging.Streams.Paths;

/// <summary>What a packet carried, so that it can be written anew if the packet is lost.</summary>
/// <param name="Type">The frame.</param>
/// <param name="Stream">Its stream.</param>
/// <param name="Offset">Of data: where the bytes begin.</param>
/// <param name="Length">Of data: how many.</param>
/// <param name="IsLast">Of data: nothing comes behind them.</param>
/// <param name="IsFirst">Of data: it said what stream this is.</param>
/// <param name="IsFlight">Of data: the peer had not allowed it.</param>
internal readonly record struct SentFrame(
    FrameType Type,
    uint Stream,
    long Offset = 0,
    int Length = 0,
    bool IsLast = false,
    bool IsFirst = false,
    bool IsFlight = false
);
