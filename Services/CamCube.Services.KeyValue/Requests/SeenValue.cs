using CamCube.Services.KeyValue.Index;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Requests;

/// <summary>What was visible of a key at one moment.</summary>
/// <param name="Key">The key.</param>
/// <param name="Entry">Where its value lies; null: there was none.</param>
/// <param name="Change">The change that made it, if that is in memory.</param>
internal readonly record struct SeenValue(UInt128 Key, IndexEntry? Entry, Operation? Change);
