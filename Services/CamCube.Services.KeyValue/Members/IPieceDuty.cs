using CamCube.Services.KeyValue.Log;

namespace CamCube.Services.KeyValue.Members;

/// <summary>Who brings pieces of values that this server lacks. Loop only.</summary>
internal interface IPieceDuty
{
    /// <summary>Is told what came of each: its group, the value, whether all of it is here.</summary>
    Action<uint, PieceId, bool> Ended { set; }

    /// <summary>Brings them; called again and again until they are here.</summary>
    /// <param name="group">The group that they are of.</param>
    /// <param name="list">Which.</param>
    /// <param name="sources">Who may have them.</param>
    /// <param name="isRecovery">No client waits for them: they are held back while clients are served.</param>
    void Fetch(uint group, PieceList list, IEnumerable<Coordinate> sources, bool isRecovery);

    /// <summary>Brings one piece anew, because the one that is here has rotted.</summary>
    /// <param name="group">The group that it is of.</param>
    /// <param name="list">The value.</param>
    /// <param name="number">Which piece.</param>
    /// <param name="sources">Who may have it.</param>
    /// <returns>Whether it was written.</returns>
    ValueTask<bool> RepairAsync(uint group, PieceList list, int number, IEnumerable<Coordinate> sources);
}
