namespace CamCube.Runtime.Engine;

/// <summary>
/// What simulated cables do with packets. The fields of a packet and its pool are this project's alone: whoever drives
/// the step machine from outside (the simulator) has this. On the thread of the context.
/// </summary>
internal static class CablePackets
{
    /// <summary>In the place of a service's slot: the runtime itself.</summary>
    public const int NoSlot = OwnerWords.NoSlot;

    /// <summary>Makes the pools of several threads one: what an owner has is then found in all of them. Before anything
    /// is rented.</summary>
    public static void JoinPools(IEnumerable<CubeContext> contexts) =>
        PacketPool.Join([.. contexts.Select(context => context.Pool)]);

    extension(Packet packet)
    {
        /// <summary>What comes behind it on its cable.</summary>
        public ref Packet? Next => ref packet.Next;

        /// <summary>When it arrives.</summary>
        public ref long When => ref packet.When;
    }

    extension(CubeContext context)
    {
        /// <summary>Packets owned by somebody.</summary>
        public int PacketsOutstanding => context.Pool.Outstanding;

        /// <summary>Ends a packet that is on a cable.</summary>
        public void Lose(Packet packet) => context.Pool.Free(packet, packet.OwnerWord);

        /// <summary>On the thread that gives a packet to another thread.</summary>
        public void PrepareToLeave(Packet packet) => context.Pool.PrepareToLeave(packet);

        /// <summary>On the thread that gets a packet.</summary>
        public void Adopt(Packet packet) => context.Pool.Adopt(packet);

        /// <summary>All servers end: nobody needs to look for what each of them had.</summary>
        public void AbandonPackets() => context.Pool.Abandon();

        /// <summary>How many packets each owner has, for <see cref="StatusReader"/>. Any thread.</summary>
        public Dictionary<uint, int> CountPacketsByOwner() => context.Pool.CountByOwner();

        /// <summary>Packets per owner, for the message of a failed leak check.</summary>
        /// <param name="nameOf">Names an owner by the server's rank and the service's slot.</param>
        public string DescribePackets(Func<int, int, string> nameOf) => context.Pool.DescribeOutstanding(nameOf);
    }
}
