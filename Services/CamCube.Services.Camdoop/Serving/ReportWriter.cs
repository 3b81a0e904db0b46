using CamCube.Services.Camdoop.Tasks;
using CamCube.Services.Camdoop.Wire;

namespace CamCube.Services.Camdoop.Serving;

/// <summary>Says how tasks are, as far as a report has room: what does not fit is said the next time, and until then is
/// as before. Loop only.</summary>
internal sealed class ReportWriter
{
    // Texts have about six bytes for each character at worst, as JSON.
    private const int MostBytes = 1 << 20;
    private const int BytesOfNumbers = 100;
    private const int BytesOfCharacter = 6;
    private int _bytes;

    /// <summary>There is more to say.</summary>
    public bool HasMore { get; private set; }

    /// <summary>Says how tasks are.</summary>
    /// <param name="attempts">The tasks.</param>
    /// <param name="ordered">Those that the tracker knows of; others are said in any case.</param>
    /// <param name="stages">What it has heard of those, as <see cref="SyncOrder.MapStages"/>.</param>
    /// <returns>News, and the numbers of tasks without.</returns>
    public (IReadOnlyList<TaskReport> News, IReadOnlyList<int> Same) Say(
        IEnumerable<TaskAttempt> attempts,
        IReadOnlyList<TaskOrder> ordered,
        string stages
    )
    {
        Dictionary<TaskOrder, TaskStage> known = [];
        for (int i = 0; i < ordered.Count; i++)
        {
            known[ordered[i]] = (TaskStage)(stages[i] - '0');
        }

        List<TaskReport> news = [];
        List<int> same = [];
        foreach (TaskAttempt attempt in attempts)
        {
            bool isKnown = known.TryGetValue(attempt.Order, out TaskStage said);
            if (isKnown && attempt.Stage == said)
            {
                same.Add(attempt.Order.Task);
                continue;
            }

            TaskReport report = attempt.Report;
            int bytes = BytesOf(report);
            if (_bytes > 0 && _bytes + bytes > MostBytes)
            {
                HasMore = true;
                if (isKnown)
                {
                    same.Add(attempt.Order.Task);
                    continue;
                }

                report = new TaskReport(report.Task, report.Attempt, TaskStage.Running);
                bytes = 0;
            }

            _bytes += bytes;
            news.Add(report);
        }

        return (news, same);
    }

    private static int BytesOf(TaskReport report) =>
        BytesOfNumbers
        + (BytesOfCharacter * ((report.Words?.Length ?? 0) + report.ErrorText.Length))
        + report.Counters.Sum(static c => BytesOfNumbers + (BytesOfCharacter * (c.Group.Length + c.Name.Length)));
}
