using CamCube.Administration.Answers;
using CamCube.Hosting.Observing;

namespace CamCube.Hosting.Http;

/// <summary>Turns the health of a host into the answers of the health paths.</summary>
internal static class HealthReport
{
    /// <summary>Whether the process is worth keeping.</summary>
    public static (HealthAnswer Answer, bool IsWell) Live(HostHealth health)
    {
        List<string> dead = [.. health.Reasons().Where(r => r.Level == HealthLevel.Dead).Select(r => r.Text)];
        return dead.Count == 0 ? (new HealthAnswer("live", null), true) : (new HealthAnswer("dead", dead), false);
    }

    /// <summary>Whether clients should come.</summary>
    public static (HealthAnswer Answer, bool IsWell) Ready(HostHealth health)
    {
        IReadOnlyList<HealthReason> reasons = health.Reasons();
        HostPhase phase = health.Phase;
        bool isWell = phase == HostPhase.Ready && reasons.All(r => r.Level == HealthLevel.Degraded);
        string status = (phase, isWell) switch
        {
            (not HostPhase.Ready, _) => AnswerName.Of(phase),
            (_, false) => "unready",
            _ => reasons.Count == 0 ? "ready" : "degraded",
        };
        return (new HealthAnswer(status, [.. reasons.Select(r => r.Text)]), isWell);
    }
}
