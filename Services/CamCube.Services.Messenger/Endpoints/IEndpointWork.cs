namespace CamCube.Services.Messenger.Endpoints;

/// <summary>What an endpoint has done for it by the messenger around it.</summary>
internal interface IEndpointWork
{
    SendStatus Send(LocalEndpoint from, EndpointId to, ushort method, ReadOnlySpan<byte> bytes);

    SendStatus Send(LocalEndpoint from, EndpointId to, ushort method, ReadOnlySpan<ReadOnlyMemory<byte>> items);

    SendStatus Answer(LocalEndpoint from, ReceivedMessage call, ushort method, ReadOnlySpan<byte> bytes);

    SendStatus Answer(
        LocalEndpoint from,
        ReceivedMessage call,
        ushort method,
        ReadOnlySpan<ReadOnlyMemory<byte>> items
    );

    ValueTask<CallAnswer> CallAsync(
        LocalEndpoint from,
        EndpointId to,
        ushort method,
        ReadOnlySpan<ReadOnlyMemory<byte>> items,
        ReadOnlySpan<Window> returns,
        TimeSpan deadline,
        CancellationToken cancel
    );

    ValueTask<LongDelivery> AnswerLongAsync(
        LocalEndpoint from,
        ReceivedMessage call,
        ushort method,
        ReadOnlySpan<ReadOnlyMemory<byte>> items,
        TimeSpan deadline,
        CancellationToken cancel
    );

    ValueTask<LongDelivery> SendLongAsync(
        LocalEndpoint from,
        EndpointId to,
        ushort method,
        ReadOnlySpan<ReadOnlyMemory<byte>> items,
        TimeSpan deadline,
        CancellationToken cancel
    );

    /// <summary>An item is being written into a window that is to be taken back. False: not for this endpoint.
    /// </summary>
    bool BreakOff(LocalEndpoint endpoint, Window window);

    ValueTask<MoveStatus> MoveAsync(LocalEndpoint endpoint, Coordinate server, TimeSpan deadline);

    /// <summary>The endpoint has ended, whatever its state was.</summary>
    void OnEnded(LocalEndpoint endpoint, EndpointState before);
}
