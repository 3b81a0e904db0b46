namespace CamCube.Hosting.Lifetime;

/// <summary>Where the host speaks to people: results and errors. Logs go elsewhere.</summary>
/// <param name="Results">Standard output.</param>
/// <param name="Errors">Standard error.</param>
internal sealed record HostOutput(TextWriter Results, TextWriter Errors)
{
    /// <summary>Writes lines to the results and sees them out: who waits for the ready line reads a pipe.</summary>
    public void WriteLines(IEnumerable<string> lines)
    {
        foreach (string line in lines)
        {
            Results.WriteLine(line);
        }

        Results.Flush();
    }
}
