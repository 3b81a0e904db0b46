using CamCube.Administration.Answers;
using CamCube.Tool.Output;

namespace CamCube.Tool.Dev;

/// <summary>In words.</summary>
internal sealed class DevText(TextWriter output) : IDevVoice
{
    public void Building(string project) => Say($"builds {project}; Ctrl-C ends this.");

    public void Built(string name, BuildResult result)
    {
        Lines(result.Lines);
        if (!result.IsOk)
        {
            Say($"{name} is not built.");
        }
    }

    public void Waits() => Say("waits for a change.");

    public void Started(string service, int servers, string url) =>
        Say($"ready: {service} runs on {servers} servers, {url}");

    public void Examples(IReadOnlyList<string> lines) => Lines(lines);

    public void Changed(IReadOnlyList<string> files)
    {
        string more = files.Count > 1 ? $" and {files.Count - 1} more" : "";
        Say($"{Path.GetFileName(files[0])}{more} changed.");
    }

    public void Reloaded(ReloadAnswer answer, TimeSpan took)
    {
        ReloadText.Show(new Report(output), answer);
        Say(
            answer.Problem is null
                ? $"reloaded after {took.TotalSeconds:0.0} s."
                : $"the reload did not go well: {answer.Problem}"
        );
    }

    public void Failed(string line) => Say(line);

    private void Lines(IReadOnlyList<string> lines)
    {
        foreach (string line in lines)
        {
            output.WriteLine($"  {line}");
        }

        output.Flush();
    }

    private void Say(string line)
    {
        output.WriteLine($"camcube dev: {line}");
        output.Flush();
    }
}
