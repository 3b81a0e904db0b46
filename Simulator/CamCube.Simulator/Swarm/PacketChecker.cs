using CamCube.Runtime.Engine;
using CamCube.Simulator.Checkers;

namespace CamCube.Simulator.Swarm;

/// <summary>
/// Where packets stay. When all traffic has ended nobody has a packet any more; what was put on cables is what arrived
/// and what is counted as lost; and what services sent is what ended at services and what was dropped for a counted
/// reason.
/// </summary>
/// <param name="cube">The cube; its servers' counters are read, those of ended runs too.</param>
public sealed class PacketChecker(SwarmCube cube) : Checker("packets")
{
    private const int MostLooks = 20_000;

    /// <summary>Waits for a moment in which no packet is anywhere. False, and a failure, if there is none.</summary>
    public bool AwaitQuiet()
    {
        Checks++;
        SimulatedCube simulated = cube.Cube;
        for (int i = 0; i < MostLooks && simulated.PacketsOutstanding > 0; i++)
        {
            // Heartbeats come and go; the step is no multiple of anything they do.
            simulated.AdvanceTo(simulated.NowNanos + 50_111);
        }

        if (simulated.PacketsOutstanding == 0)
        {
            return true;
        }

        Fail(
            simulated.NowNanos,
            $"{simulated.PacketsOutstanding} packets are owned long after all traffic ended: "
                + simulated.DescribeOutstanding().ReplaceLineEndings("; ")
        );
        return false;
    }

    /// <summary>In a quiet moment: what was sent on cables and did not arrive is counted as lost there.</summary>
    public void CheckCables()
    {
        Checks++;
        long sent = 0,
            received = 0;
        foreach (ServerRuntime run in cube.Runs)
        {
            foreach (LinkTally link in run.Counters.Links)
            {
                sent += link.SentPackets;
                received += link.ReceivedPackets;
            }
        }

        long lost = cube.Cube.LostOnCables,
            full = cube.Drops(DropReason.ReceiveFull);
        sent += cube.Cube.LinkFaults.Counts.Duplicated;
        if (sent != received + lost + full)
        {
            Fail(
                cube.Cube.NowNanos,
                $"{sent} packets went onto cables, copies included, {received} arrived, "
                    + $"{lost} are counted as lost and {full} found no room: {sent - received - lost - full} are "
                    + $"missing."
            );
        }
    }

    /// <summary>In a quiet moment: packets that services sent and that did not end at a service are counted as dropped
    /// or lost.</summary>
    /// <param name="sent">Packets that services rented.</param>
    /// <param name="ended">Packets that services consumed.</param>
    /// <param name="isComplete">Whether that is all of them; otherwise the counters may count more.</param>
    public void CheckServices(long sent, long ended, bool isComplete)
    {
        Checks++;
        long counted = cube.Cube.LostOnCables,
            linkStateSent = 0,
            linkStateArrived = 0;
        foreach (ServerRuntime run in cube.Runs)
        {
            counted += run.Counters.Drops.Sum();
            linkStateSent += run.Host.Slots[0].Sent;
            linkStateArrived += run.Host.Slots[0].Arrived;
        }

        // No fault damages link state, so all that arrived there was consumed.
        long copies = isComplete ? cube.Cube.LinkFaults.Counts.Duplicated : 0;
        long missing = sent + linkStateSent + copies - ended - linkStateArrived - counted;
        if (isComplete ? missing != 0 : missing > 0)
        {
            Fail(
                cube.Cube.NowNanos,
                $"services sent {sent} packets and link state {linkStateSent}; {ended} and {linkStateArrived} arrived, "
                    + $"{counted} were dropped or lost for a counted reason: {missing} are missing."
            );
        }
    }

    /// <summary>After the end of all servers nothing is left.</summary>
    public void CheckEnd()
    {
        Checks++;
        if (cube.Cube.PacketsOutstanding != 0)
        {
            Fail(
                cube.Cube.NowNanos,
                $"{cube.Cube.PacketsOutstanding} packets are owned after all servers were stopped: "
                    + cube.Cube.DescribeOutstanding().ReplaceLineEndings("; ")
            );
        }
    }
}
