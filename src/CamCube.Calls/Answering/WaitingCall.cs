using CamCube.Messaging;

namespace CamCube.Calls;

/// <summary>A request that waits for something at its root. Owns its content until it is done or refused.</summary>
/// <typeparam name="THeader">The service's header.</typeparam>
/// <param name="Header">Its header.</param>
/// <param name="Source">Who asks.</param>
/// <param name="Run">Run of who asks.</param>
/// <param name="Content">What follows the header.</param>
public readonly record struct WaitingCall<THeader>(THeader Header, Coordinate Source, ulong Run, OwnedBytes Content)
    where THeader : unmanaged, IMessageHeader<THeader>;
