using System.Text.RegularExpressions;

namespace CamCube.SystemTests;

/// <summary>The way of a request through the rooms, as docs/architecture.md tells it, compared with the code.</summary>
internal static partial class RequestWay
{
    /// <summary>The project's own folder, in the table.</summary>
    private const string Own = "own";

    /// <summary>A line of the table.</summary>
    /// <param name="Room">The project, without "CamCube.".</param>
    /// <param name="Folders">Its folders in the order in which the request passes them.</param>
    /// <param name="By">The type by which it goes on; empty at the end of the way.</param>
    public sealed record Step(string Room, string[] Folders, string By);

    /// <summary>A project of the house.</summary>
    /// <param name="Names">Projects that it references.</param>
    /// <param name="Files">Folder and text of its sources.</param>
    /// <param name="Floors">Its floors, the highest first; none if it has no folders.</param>
    public sealed record Project(
        IReadOnlyCollection<string> Names,
        IReadOnlyCollection<(string Folder, string Text)> Files,
        string[][] Floors
    );

    /// <summary>The table in a page.</summary>
    public static IReadOnlyList<Step> Read(string page) =>
        [
            .. Row()
                .Matches(page[page.IndexOf("## A request's way", StringComparison.Ordinal)..])
                .Select(row => new Step(
                    row.Groups[1].Value,
                    [.. row.Groups[2].Value.Split(", ").Select(folder => folder == Own ? FloorRules.Top : folder)],
                    row.Groups[3].Value
                )),
        ];

    /// <summary>Answers one sentence for everything that is not so in the code.</summary>
    public static IReadOnlyList<string> Check(IReadOnlyList<Step> way, IReadOnlyDictionary<string, Project> house)
    {
        List<string> wrong =
        [
            .. way.GroupBy(step => step.Room)
                .Where(same => same.Count() > 1)
                .Select(same => $"{same.Key} is entered {same.Count()} times."),
        ];
        for (int i = 0; i < way.Count; i++)
        {
            Step step = way[i];
            if (!house.TryGetValue(step.Room, out Project? project))
            {
                wrong.Add($"There is no project {step.Room}.");
                continue;
            }

            wrong.AddRange(
                step.Folders.Where(folder => project.Files.All(file => file.Folder != folder))
                    .Select(folder => $"{step.Room} has no folder {folder}.")
            );
            int[] floors = [.. step.Folders.Select(f => Array.FindIndex(project.Floors, floor => floor.Contains(f)))];
            if (!floors.SequenceEqual(floors.Order()))
            {
                wrong.Add($"In {step.Room} the way leads up again.");
            }

            if (i < way.Count - 1)
            {
                wrong.AddRange(CheckArrow(step, project, way[i + 1], house));
            }
        }

        if (way.Count == 0 || way[^1].By.Length > 0)
        {
            wrong.Add("The way has no end.");
        }

        return wrong;
    }

    private static IEnumerable<string> CheckArrow(
        Step step,
        Project project,
        Step next,
        IReadOnlyDictionary<string, Project> house
    )
    {
        string type = Regex.Escape(step.By);
        if (step.By.Length == 0 || !CodeIn(project, step.Folders[^1]).Any(code => Regex.IsMatch(code, $@"\b{type}\b")))
        {
            yield return $"{step.Room} does not name '{step.By}' in {step.Folders[^1]}.";
            yield break;
        }

        string[] homes =
        [
            .. house.Where(p => p.Value.Files.Any(f => Regex.IsMatch(f.Text, Declares(type)))).Select(p => p.Key),
        ];
        foreach (string room in (string[])[step.Room, next.Room])
        {
            if (!homes.Any(home => Reaches(room, home, house)))
            {
                yield return $"{room} references no project that has {step.By}.";
            }
        }

        if (
            house.TryGetValue(next.Room, out Project? to)
            && !CodeIn(to, next.Folders[0])
                .Any(code => Regex.IsMatch(code, Declares(type)) || Regex.IsMatch(code, DerivesFrom(type)))
        )
        {
            yield return $"{next.Room} does not offer {step.By} in {next.Folders[0]}.";
        }
    }

    private static IEnumerable<string> CodeIn(Project project, string folder) =>
        project.Files.Where(file => file.Folder == folder).Select(file => FloorChecks.CodeOf(file.Text));

    private static bool Reaches(string from, string to, IReadOnlyDictionary<string, Project> house) =>
        from == to || (house.TryGetValue(from, out Project? room) && room.Names.Any(name => Reaches(name, to, house)));

    private static string Declares(string type) => $@"\b(?:class|struct|interface|record) {type}\b";

    private static string DerivesFrom(string type) =>
        $@"\b(?:class|struct|record) \w+[^{{;]*?:(?:[^{{;(]*[\s,])?{type}\b";

    [GeneratedRegex(@"^\| ([A-Z][\w.]+) \| ([\w, /]+) \| [^|]+ \| (?:`(\w+)` )?\|$", RegexOptions.Multiline)]
    private static partial Regex Row();
}
