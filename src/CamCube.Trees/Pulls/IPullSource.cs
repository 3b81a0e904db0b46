namespace CamCube.Trees;

/// <summary>Who answers a pull. Loop only.</summary>
public interface IPullSource
{
    /// <summary>There is room to write, as at the beginning, or again.</summary>
    void OnWritable();

    /// <summary>Who pulled wants no more: it has all, it is gone, or it asks elsewhere. Nothing is written
    /// afterwards.</summary>
    void OnLeft();
}
