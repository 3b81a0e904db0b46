using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Members;

/// <summary>A change is applied that was found: of millions of them only what the index needs is looked at.</summary>
/// <param name="group">Its group.</param>
/// <param name="record">The head.</param>
/// <param name="key">The key.</param>
/// <param name="valueLength">Bytes of the value.</param>
/// <param name="location">Where it lies.</param>
internal delegate void SettledChange(
    GroupId group,
    in LogRecord record,
    ReadOnlySpan<byte> key,
    int valueLength,
    LogLocation location
);
