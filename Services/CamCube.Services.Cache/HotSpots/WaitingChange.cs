using CamCube.Messaging;

namespace CamCube.Services.Cache.HotSpots;

/// <summary>A change that waits until copies are gone. Owns its content until it is done or refused.</summary>
/// <param name="Header">Its header.</param>
/// <param name="Source">Who asks.</param>
/// <param name="Run">Run of who asks.</param>
/// <param name="Content">What follows the header.</param>
internal readonly record struct WaitingChange(CacheHeader Header, Coordinate Source, ulong Run, OwnedBytes Content);
