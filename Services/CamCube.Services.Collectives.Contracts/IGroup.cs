namespace CamCube.Services.Collectives;

/// <summary>
/// A group, as one of its members has it. All members call the same operations in the same order, and may call the next
/// before one has ended: they are matched by number. A result has the same bits at all members, in all runs: floats,
/// too, for it depends on the vectors, the members and their order only. Memory that is given to an operation is the
/// group's until that has ended. Whatever a call says of a member that is lost, no operation waits for it: all end with
/// <see cref="CollectiveStatus.MemberLost"/>, and what then is in the memory is not said. A result is awaited at once,
/// and once. Loop only; nothing throws for what others do.
/// </summary>
public interface IGroup
{
    /// <summary>Its name.</summary>
    string Name { get; }

    /// <summary>Its members, rank 0 first.</summary>
    IReadOnlyList<Coordinate> Members { get; }

    /// <summary>Which of them this server is.</summary>
    int Rank { get; }

    /// <summary>Why it has ended; null: it has not.</summary>
    CollectiveResult? End { get; }

    /// <summary>Element by element, what all members gave becomes one, and all have it.</summary>
    /// <param name="elements">This member's; then the result.</param>
    /// <param name="type">What the elements are.</param>
    /// <param name="operation">How two become one.</param>
    ValueTask<CollectiveResult> AllReduceAsync(Memory<byte> elements, ElementType type, ReduceOperator operation);

    /// <summary>As <see cref="AllReduceAsync(Memory{byte}, ElementType, ReduceOperator)"/>, by a function of the
    /// service's own.</summary>
    /// <param name="elements">This member's; then the result.</param>
    /// <param name="function">How two become one.</param>
    ValueTask<CollectiveResult> AllReduceAsync(Memory<byte> elements, ReduceFunction function);

    /// <summary>The same, and one has it. With rank 0 as root it costs half as much as else.</summary>
    /// <param name="root">The rank of who gets it.</param>
    /// <param name="elements">This member's; at the root then the result; at others what is not said, but unchanged
    /// if rank 0 is the root.</param>
    /// <param name="type">What the elements are.</param>
    /// <param name="operation">How two become one.</param>
    ValueTask<CollectiveResult> ReduceAsync(
        int root,
        Memory<byte> elements,
        ElementType type,
        ReduceOperator operation
    );

    /// <summary>As <see cref="ReduceAsync(int, Memory{byte}, ElementType, ReduceOperator)"/>, by a function of the
    /// service's own.</summary>
    /// <param name="root">The rank of who gets it.</param>
    /// <param name="elements">This member's; at the root then the result.</param>
    /// <param name="function">How two become one.</param>
    ValueTask<CollectiveResult> ReduceAsync(int root, Memory<byte> elements, ReduceFunction function);

    /// <summary>What one has, all get. With rank 0 as root it does not wait until all have it, and costs half as much
    /// as else.</summary>
    /// <param name="root">The rank of who has it.</param>
    /// <param name="bytes">At the root what is sent; at others where it goes.</param>
    ValueTask<CollectiveResult> BroadcastAsync(int root, Memory<byte> bytes);

    /// <summary>As <see cref="AllReduceAsync(Memory{byte}, ElementType, ReduceOperator)"/>, and each member has its
    /// part: of as many equal parts as there are members that of its rank. Costs half as much, up to as many members
    /// as there is memory for.</summary>
    /// <param name="elements">This member's, for all; then its part, at its place; what is at other places is not
    /// said.</param>
    /// <param name="type">What the elements are.</param>
    /// <param name="operation">How two become one.</param>
    ValueTask<CollectiveResult> ReduceScatterAsync(Memory<byte> elements, ElementType type, ReduceOperator operation);

    /// <summary>As <see cref="ReduceScatterAsync(Memory{byte}, ElementType, ReduceOperator)"/>, by a function of the
    /// service's own.</summary>
    /// <param name="elements">This member's, for all; then its part, at its place.</param>
    /// <param name="function">How two become one.</param>
    ValueTask<CollectiveResult> ReduceScatterAsync(Memory<byte> elements, ReduceFunction function);

    /// <summary>Each member's part goes to all. Costs half as much as an allreduce, as
    /// <see cref="ReduceScatterAsync(Memory{byte}, ElementType, ReduceOperator)"/> does.</summary>
    /// <param name="bytes">As many equal parts as there are members; this member's at its place; then all.</param>
    ValueTask<CollectiveResult> AllGatherAsync(Memory<byte> bytes);

    /// <summary>Ends when all members have called it.</summary>
    ValueTask<CollectiveResult> BarrierAsync();

    /// <summary>Closes it at this server. Operations that wait here end; others that need this member, too
    /// (<see cref="CollectiveStatus.MemberLeft"/>).</summary>
    void Close();
}
