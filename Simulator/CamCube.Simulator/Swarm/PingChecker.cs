using CamCube.Simulator.Checkers;

namespace CamCube.Simulator.Swarm;

/// <summary>In a settled cube a question to a server is answered if the two are connected, and refused as NoRoute if
/// not.</summary>
/// <param name="truth">The cube as it is.</param>
/// <param name="traffic">The questions.</param>
public sealed class PingChecker(TrueCube truth, PingTraffic traffic) : Checker("pings")
{
    /// <summary>The questions of a settled time that is over; the last of them had time for an answer.</summary>
    public void Check(long fromNanos, long untilNanos)
    {
        foreach (PingTraffic.Question question in traffic.Take(fromNanos, untilNanos))
        {
            Checks++;
            bool isConnected = truth.ComponentOf(question.From) == truth.ComponentOf(question.To);
            if (question.IsSent != isConnected || question.IsAnswered != isConnected)
            {
                Fail(
                    question.Nanos,
                    $"a question of {truth.Shape.At(question.From)} to {truth.Shape.At(question.To)} was "
                        + $"{(question.IsSent ? question.IsAnswered ? "answered" : "not answered" : "refused")} in "
                        + $"a settled cube, "
                        + $"though the two are {(isConnected ? "" : "not ")}connected."
                );
                return;
            }
        }
    }
}
