using CamCube.Administration.Answers;

namespace CamCube.Tool.Output;

/// <summary>What came of the reload of a service, for people.</summary>
internal static class ReloadText
{
    /// <summary>Prints what came of it.</summary>
    public static void Show(Report report, ReloadAnswer answer)
    {
        int reloaded = answer.Servers.Count(server => server.Code is "new" or "stopped");
        string also = answer.Also is { Count: > 0 } more ? $", with {string.Join(", ", more)}" : "";
        report.Line(
            $"{answer.Service}{also}: {CodeText.Of(answer.Version, answer.Hash)} on {reloaded} of "
                + $"{answer.Servers.Count} servers"
        );
        foreach (var others in answer.Servers.Where(s => s.Code != "new").GroupBy(s => (s.Code, s.Version, s.Hash)))
        {
            string servers = string.Join(" ", others.Select(server => server.Server));
            report.Line(
                others.Key.Code == "stopped"
                    ? $"stopped, will start with it: {servers}"
                    : $"{others.Key.Code}, {CodeText.Of(others.Key.Version, others.Key.Hash)}: {servers}"
            );
        }

        foreach (string note in answer.Notes ?? [])
        {
            report.Line(note);
        }
    }
}
