namespace CamCube.Experiments.Catalog.Camdoop;

/// <summary>One shuffle, and what closed forms say of it, in seconds.</summary>
/// <param name="Seconds">How long it took.</param>
/// <param name="Model">By its own closed form.</param>
/// <param name="Switch">Through a switch with one link per server, at least.</param>
/// <param name="SwitchOfSix">With six.</param>
/// <param name="Oversubscribed">With one, and racks with a quarter of that to the others.</param>
internal sealed record ShuffleRow(
    double Seconds,
    double Model,
    double Switch,
    double SwitchOfSix,
    double Oversubscribed
);
